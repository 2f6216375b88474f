// Images as pictures, without a server: scaled to the board by the browser, then split by a
// threshold (N. Otsu 1979 where none is chosen) or into few colours (k-means, S. Lloyd 1957).

import { AnswerError } from "./errors.js";
import { MAX_COLOURS, MAX_SIDE } from "../state/document.js";

const LETTERS = ".abcdefghijklmnop";
const ROUNDS = 24; // of k-means
const WHITE = [255, 255, 255];

/**
 * The picture of an image, as the question `image` answers.
 *
 * @param {Blob} file
 * @param {object} wishes Texts: columns, rows, colours, threshold, invert, edges.
 */
export async function pictureOfFile(file, wishes) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new AnswerError(
      "FormatError",
      "This is no image that the browser can read; save it as PNG.",
    );
  }
  const columns = within(Number(wishes.columns) || 30, MAX_SIDE);
  const rows = within(Number(wishes.rows) || (columns * bitmap.height) / bitmap.width, MAX_SIDE);
  const canvas = new OffscreenCanvas(columns, rows);
  const context = canvas.getContext("2d");
  context.fillStyle = "#ffffff"; // what is transparent is paper
  context.fillRect(0, 0, columns, rows);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, columns, rows);
  const { data } = context.getImageData(0, 0, columns, rows);
  return pictureOfPixels(data, columns, {
    colours: within(Number(wishes.colours) || 1, MAX_COLOURS),
    threshold: wishes.threshold ? Number(wishes.threshold) : null,
    invert: wishes.invert === "true",
    edges: Number(wishes.edges) || 0,
  });
}

const within = (value, most) => Math.min(most, Math.max(1, Math.round(value)));

/**
 * The picture of pixels, one a cell.
 *
 * @param {Uint8ClampedArray} data Red, green, blue and opacity of each.
 * @param {number} width Cells in a row.
 * @param {{colours: number, threshold: number|null, invert: boolean, edges: number}} wishes
 * @returns {object} PICTURE of the README.
 */
export function pictureOfPixels(
  data,
  width,
  { colours, threshold = null, invert = false, edges = 0 },
) {
  const pixels = Array.from({ length: data.length / 4 }, (_, at) => [
    ...data.subarray(4 * at, 4 * at + 3),
  ]);
  return colours === 1
    ? split(pixels, width, threshold, invert, edges)
    : grouped(pixels, width, colours);
}

const lightOf = ([red, green, blue]) => (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;

function split(pixels, width, threshold, invert, edges) {
  const light = sharpened(pixels.map(lightOf), width, edges);
  const limit = threshold ?? otsu(light);
  const cells = light.map((value) => Number(value < limit !== invert));
  return { picture: rowsOf(cells, width), colours: { a: "#1a1a1a" }, background: "#ffffff" };
}

/** Each cell is moved away from the mean of those around it. */
function sharpened(light, width, by) {
  if (!by) return light;
  return light.map((value, at) => {
    const column = at % width;
    const around = [];
    for (const row of [at - width, at, at + width]) {
      for (let step = -1; step <= 1; step += 1) {
        const isInside =
          row >= 0 && row < light.length && column + step >= 0 && column + step < width;
        if (isInside) around.push(light[row + step]);
      }
    }
    return value + by * (value - around.reduce((sum, one) => sum + one, 0) / around.length);
  });
}

/** The threshold between which and both ends the values vary least. */
export function otsu(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const total = sorted.reduce((sum, value) => sum + value, 0);
  let best = { spread: -1, at: 0.5 };
  let below = 0;
  for (let count = 1; count < sorted.length; count += 1) {
    below += sorted[count - 1];
    const apart = below / count - (total - below) / (sorted.length - count);
    const spread = count * (sorted.length - count) * apart * apart;
    const isBetween = sorted[count] > sorted[count - 1];
    if (isBetween && spread > best.spread)
      best = { spread, at: (sorted[count] + sorted[count - 1]) / 2 };
  }
  return best.at;
}

const apart = (one, other) => one.reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0);

const nearest = (centres, pixel) =>
  centres.reduce(
    (best, centre, at) => (apart(centre, pixel) < apart(centres[best], pixel) ? at : best),
    0,
  );

/** Groups of similar pixels; the one that is most like white is paper. */
function grouped(pixels, width, colours) {
  let centres = spread(pixels, colours + 1);
  for (let round = 0; round < ROUNDS; round += 1) {
    const groups = centres.map(() => []);
    for (const pixel of pixels) groups[nearest(centres, pixel)].push(pixel);
    const next = centres.map((centre, at) => (groups[at].length ? mean(groups[at]) : centre));
    if (next.every((centre, at) => apart(centre, centres[at]) < 0.25)) break;
    centres = next;
  }
  centres.sort((one, other) => apart(one, WHITE) - apart(other, WHITE));
  const hex = (centre) =>
    `#${centre.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
  const inks = centres.slice(1).map((centre, at) => [LETTERS[at + 1], hex(centre)]);
  const cells = pixels.map((pixel) => nearest(centres, pixel));
  return {
    picture: rowsOf(cells, width),
    colours: Object.fromEntries(inks),
    background: hex(centres[0]),
  };
}

/** Different pixels that are far from each other; fewer where the image has no more. */
function spread(pixels, most) {
  const centres = [pixels[0]];
  const distances = pixels.map((pixel) => apart(pixel, centres[0]));
  while (centres.length < most) {
    const furthest = distances.reduce(
      (best, distance, at) => (distance > distances[best] ? at : best),
      0,
    );
    if (distances[furthest] === 0) break;
    const centre = pixels[furthest];
    centres.push(centre);
    pixels.forEach((pixel, at) => (distances[at] = Math.min(distances[at], apart(pixel, centre))));
  }
  return centres;
}

const mean = (pixels) =>
  [0, 1, 2].map((part) => pixels.reduce((sum, pixel) => sum + pixel[part], 0) / pixels.length);

function rowsOf(cells, width) {
  const text = Array.from(cells, (value) => LETTERS[value]).join("");
  return Array.from({ length: cells.length / width }, (_, row) =>
    text.slice(row * width, (row + 1) * width),
  );
}
