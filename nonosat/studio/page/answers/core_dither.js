// Shades as a mixture of a few colours: each cell's error is distributed to its neighbours (R.
// Floyd and L. Steinberg 1976), or a matrix gives the shade from which each cell is filled (B.
// Bayer 1973). `generate/image/_dither.py` computes the same sums in the same order;
// `tests/test_studio_images.py` checks that the cells are equal.

const SHARES = [
  [0, 1, 7],
  [1, -1, 3],
  [1, 0, 5],
  [1, 1, 1],
]; // rows down, columns right, 16th parts
const MATRIX = [
  [0, 8, 2, 10],
  [12, 4, 14, 6],
  [3, 11, 1, 9],
  [15, 7, 13, 5],
];

/** The squared distance of two colours. */
export function apart(one, other) {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] - other[at]) * (one[at] - other[at]);
  return sum;
}

/** The number of the colour nearest to a shade. */
export function nearest(palette, shade) {
  let [best, least] = [0, Infinity];
  for (let at = 0; at < palette.length; at += 1) {
    const distance = apart(shade, palette[at]);
    if (distance < least) [best, least] = [at, distance];
  }
  return best;
}

/**
 * Index into the palette for each cell.
 *
 * @param {{width: number, shades: number[][], seen: boolean[]}} board Transparent cells get colour
 *   0; they receive and distribute no error.
 * @param {number[][]} palette
 * @param {string} how "floyd-steinberg" or "bayer".
 * @returns {number[]}
 */
export const dithered = (board, palette, how) =>
  how === "bayer" ? ordered(board, palette) : diffused(board, palette);

/**
 * Diffuse errors row by row from the left; sums are clamped to 0 to 255, so errors stay bounded.
 */
function diffused({ width, shades, opaque }, palette) {
  const mixed = shades.map((shade) => [...shade]);
  return mixed.map((shade, at) => {
    if (!opaque[at]) return 0;
    const clipped = shade.map((part) => Math.min(255, Math.max(0, part)));
    const name = nearest(palette, clipped);
    const errors = clipped.map((part, index) => part - palette[name][index]);
    for (const [down, right, share] of SHARES) {
      const place = at + down * width + right;
      const column = (at % width) + right;
      if (place >= mixed.length || column < 0 || column >= width || !opaque[place]) continue;
      errors.forEach((error, index) => (mixed[place][index] += (error * share) / 16));
    }
    return name;
  });
}

/** Move each shade by up to half of the palette's mean step, depending on its place. */
function ordered({ width, shades, opaque }, palette) {
  if (palette.length < 2) return shades.map(() => 0);
  let total = 0;
  palette.forEach((one, at) => {
    const others = palette.filter((_, to) => to !== at);
    total += Math.sqrt(Math.min(...others.map((other) => apart(one, other))));
  });
  const step = total / palette.length / Math.sqrt(palette[0].length);
  return shades.map((shade, at) => {
    const row = Math.floor(at / width);
    const by = step * ((MATRIX[row % 4][(at % width) % 4] + 0.5) / 16 - 0.5);
    const moved = shade.map((part) => part + by);
    return opaque[at] ? nearest(palette, moved) : 0;
  });
}
