// Images as pictures, without a server: scaled to the board, then segmented by a threshold or into
// few colours (k-means, S. Lloyd 1957), cell by cell or dithered.

import { AnswerError } from "./errors.js";
import { apart, dithered, nearest } from "./core_dither.js";
import { partOf, scaled } from "./core_scale.js";
import { contrast, exposed, lightOf, otsu, sharpened } from "./core_tones.js";
import { MAX_COLOURS, MAX_SIDE } from "../state/document.js";

const LETTERS = ".abcdefghijklmnop";
const DITHERS = ["floyd-steinberg", "bayer"];
const MOST_PIXELS = 2 ** 24; // pixels of an image that is scaled here; larger ones in the browser
const ROUNDS = 8; // iterations of k-means
const WHITE = [255, 255, 255];
const BLACK = { a: "#000000" };

/**
 * The picture of an image, as the question `image` answers.
 *
 * @param {Blob} file
 * @param {object} wishes Texts: columns, rows, colours, threshold, invert, edges, dither.
 */
export async function pictureOfFile(file, wishes) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file, { colorSpaceConversion: "none" });
  } catch {
    throw new AnswerError(
      "FormatError",
      "The browser cannot read this image; save it as PNG.",
    );
  }
  const by = Math.min(1, Math.sqrt(MOST_PIXELS / (bitmap.width * bitmap.height)));
  const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.ceil(side * by));
  const context = new OffscreenCanvas(width, height).getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return pictureOfImage(context.getImageData(0, 0, width, height), wishes);
}

/** The picture of an image's pixels: `{data, width, height}`. */
export function pictureOfImage(image, wishes) {
  const columns = within(Number(wishes.columns) || 30, MAX_SIDE);
  const rows = within(Number(wishes.rows) || (columns * image.height) / image.width, MAX_SIDE);
  const isCells = image.width <= columns && image.height <= rows; // no cell has more than a pixel
  return pictureOfPixels(scaled(image, columns, rows), columns, {
    colours: within(Number(wishes.colours) || 1, MAX_COLOURS),
    threshold: wishes.threshold ? Number(wishes.threshold) : null,
    invert: wishes.invert === "true",
    edges: isCells ? 0 : Number(wishes.edges) || 0,
    dither: ditherOf(wishes.dither),
  });
}

function ditherOf(text) {
  if (!text || DITHERS.includes(text)) return text || null;
  throw new AnswerError(
    "PuzzleError",
    `dither is '${text}', expected ${DITHERS.join(" or ")}, or none`,
  );
}

const within = (value, most) => Math.min(most, Math.max(1, Math.round(value)));

/**
 * The picture of pixels, one a cell.
 *
 * @param {Uint8ClampedArray} data Red, green, blue and opacity of each.
 * @param {number} width Cells in a row.
 * @param {object} wishes `{colours, threshold, invert, edges, dither}`; `null` finds a threshold,
 *   or dithers nothing.
 * @returns {object} PICTURE of the README.
 */
export function pictureOfPixels(data, width, wishes) {
  const places = Array.from({ length: data.length / 4 }, (_, at) => 4 * at);
  const opaque = places.map((at) => data[at + 3] >= 128);
  const pixels = places.map((at) =>
    [0, 1, 2].map((part) => onPaper(data[at + part], data[at + 3])),
  );
  const board = { width, opaque, pixels };
  return wishes.colours === 1 ? split(board, wishes) : grouped(board, wishes);
}

/** Blend transparent pixels with white paper. */
const onPaper = (value, opacity) => partOf(value, opacity, 255);

function split({ width, opaque, pixels }, { threshold = null, invert = false, edges = 0, dither }) {
  const light = pixels.map(lightOf);
  const table = contrast(light.filter((_, at) => opaque[at]));
  const values = sharpened(
    light.map((value) => table[value]),
    width,
    edges,
  );
  const level =
    threshold === null
      ? otsu(values.filter((_, at) => opaque[at]))
      : Math.floor(255 * threshold + 0.5);
  const shades = values.map((value) => [exposed(value, level)]);
  const isDark = dither
    ? dithered({ width, shades, opaque }, [[255], [0]], dither).map(Boolean)
    : values.map((value) => value < level);
  const cells = isDark.map((dark, at) => Number(opaque[at] && dark !== invert));
  return { picture: rowsOf(cells, width), colours: BLACK, background: "#ffffff" };
}

/** Groups of similar pixels; the group nearest to white is paper. */
function grouped({ width, opaque, pixels }, { colours, edges = 0, dither }) {
  const palette = paletteOf(pixels, colours + 1);
  const parts = [0, 1, 2].map((part) =>
    sharpened(
      pixels.map((pixel) => pixel[part]),
      width,
      edges,
    ),
  );
  const shades = pixels.map((_, at) => parts.map((values) => values[at]));
  const cells = dither
    ? dithered({ width, shades, opaque }, palette, dither)
    : pixels.map((pixel) => nearest(palette, pixel));
  const used = palette.map((_, name) => name).filter((name) => name && cells.includes(name));
  const inks = used.map((name, at) => [LETTERS[at + 1], hex(palette[name])]);
  return {
    picture: rowsOf(
      cells.map((name) => used.indexOf(name) + 1),
      width,
    ),
    colours: used.length ? Object.fromEntries(inks) : BLACK,
    background: hex(palette[0]),
  };
}

const hex = (colour) => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** At most `most` colours by k-means, the colour nearest to white first. */
function paletteOf(pixels, most) {
  let centres = spread(pixels, most);
  for (let round = 0; round < ROUNDS; round += 1) {
    const groups = centres.map(() => []);
    for (const pixel of pixels) groups[nearest(centres, pixel)].push(pixel);
    const means = centres.map((centre, at) => (groups[at].length ? mean(groups[at]) : centre));
    const isStill = means.every((centre, at) => apart(centre, centres[at]) < 0.25);
    centres = means;
    if (isStill) break;
  }
  centres.sort((one, other) => apart(one, WHITE) - apart(other, WHITE));
  return centres.map((centre) => centre.map((part) => Math.floor(part + 0.5)));
}

/** Distinct pixels far from each other; fewer if the image has fewer. */
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
