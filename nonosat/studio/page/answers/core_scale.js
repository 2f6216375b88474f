// Scale an image to the cells of a board like `nonosat generate image --dither`: each cell is the
// mean of the pixels in its window, columns first, in integers. `tests/test_studio_images.py`
// checks that both results are equal.

const BITS = 22; // of a share, the part that a pixel has in its cell

/** A value of which `part` 255ths are seen before another one, rounded. */
export const partOf = (value, part, behind = 0) => {
  const product = value * part + behind * (255 - part) + 128;
  return (product + (product >> 8)) >> 8;
};

/**
 * Place of an image on a board: the largest size in whole cells that keeps its shape.
 *
 * @returns {{left: number, top: number, width: number, height: number}}
 */
export function placeOf(image, columns, rows) {
  const high = Math.max(1, Math.floor((columns * image.height) / image.width + 0.5));
  const wide = Math.max(1, Math.floor((rows * image.width) / image.height + 0.5));
  const height = high < rows - 1 ? high : rows;
  const width = height === rows && wide < columns - 1 ? wide : columns;
  return {
    left: Math.floor((columns - width) / 2),
    top: Math.floor((rows - height) / 2),
    width,
    height,
  };
}

/**
 * The cells of a board that shows an image, transparent around it if the shapes differ.
 *
 * @param {{data: Uint8ClampedArray, width: number, height: number}} image Red, green, blue and
 *   opacity of each pixel.
 * @returns {Uint8ClampedArray} Red, green, blue and opacity of each cell.
 */
export function scaled(image, columns, rows) {
  const place = placeOf(image, columns, rows);
  const small = shrunk(image, place.width, place.height);
  const cells = new Uint8ClampedArray(4 * columns * rows);
  for (let row = 0; row < place.height; row += 1) {
    const from = 4 * row * place.width;
    const to = 4 * ((place.top + row) * columns + place.left);
    cells.set(small.subarray(from, from + 4 * place.width), to);
  }
  return cells;
}

/** Averages weight colours by opacity: a transparent pixel has an arbitrary colour. */
function shrunk(image, width, height) {
  if (image.width === width && image.height === height) return image.data;
  const weighed = new Uint8ClampedArray(image.data);
  for (let at = 0; at < weighed.length; at += 4) {
    if (weighed[at + 3] === 255) continue;
    for (let part = 0; part < 3; part += 1)
      weighed[at + part] = partOf(weighed[at + part], weighed[at + 3]);
  }
  const across = { lines: image.height, step: 4, line: 4 * image.width, newLine: 4 * width };
  const narrow = averaged(weighed, windows(image.width, width), { ...across, newStep: 4 });
  const down = { lines: width, step: 4 * width, line: 4, newStep: 4 * width, newLine: 4 };
  const cells = averaged(narrow, windows(image.height, height), down);
  for (let at = 0; at < cells.length; at += 4) {
    const opacity = cells[at + 3];
    if (opacity === 0 || opacity === 255) continue;
    for (let part = 0; part < 3; part += 1)
      cells[at + part] = Math.floor((255 * cells[at + part]) / opacity);
  }
  return cells;
}

/** First pixel and number of pixels of each cell of a line: pixels whose middle is in the cell. */
function windows(pixels, cells) {
  const scale = pixels / cells;
  const long = Math.max(scale, 1);
  return Array.from({ length: cells }, (_, at) => {
    const centre = (at + 0.5) * scale;
    const isIn = (pixel) => {
      const offset = (pixel - centre + 0.5) * (1 / long); // as Pillow rounds it: ties matter
      return -0.5 < offset && offset <= 0.5;
    };
    let from = Math.max(0, Math.trunc(centre - long / 2 + 0.5));
    let to = Math.min(pixels, Math.trunc(centre + long / 2 + 0.5));
    while (from < to - 1 && !isIn(from)) from += 1;
    while (to > from + 1 && !isIn(to - 1)) to -= 1;
    return { from, count: to - from };
  });
}

/** Average lines of pixels into lines of cells; steps and lines are distances in the arrays. */
function averaged(pixels, spans, { lines, step, line, newStep, newLine }) {
  const means = new Uint8ClampedArray(4 * lines * spans.length);
  const shares = spans.map(({ count }) => Math.floor(0.5 + 2 ** BITS / count));
  for (let number = 0; number < lines; number += 1)
    for (let cell = 0; cell < spans.length; cell += 1) {
      const { from, count } = spans[cell];
      const first = number * line + from * step;
      const last = first + count * step;
      for (let part = 0; part < 4; part += 1) {
        let sum = 0;
        for (let at = first + part; at < last; at += step) sum += pixels[at];
        const mean = Math.floor((sum * shares[cell] + 2 ** (BITS - 1)) / 2 ** BITS);
        means[number * newLine + cell * newStep + part] = mean;
      }
    }
  return means;
}
