// Reproducible random numbers.

/** `next(n)`: 0 to n - 1 (a linear congruential generator; its high bits). */
export function random(seed) {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/** A document whose cells are random. */
export function randomPicture(next, blank, height, width, colours = 1) {
  const palette = Array.from(
    { length: colours },
    (_, at) => `#${(at + 16).toString(16).padStart(6, "0")}`,
  );
  const doc = blank(height, width, { palette });
  for (let at = 0; at < doc.cells.length; at += 1) doc.cells[at] = next(colours + 1);
  return doc;
}
