// Strokes of a player: the effect of a press and a drag on marks. Marks are a value a place (cell
// or edge): 0 crossed, k colour k (edges: 1 on the path), 255 open.

const OPEN = 255;

/**
 * The mark after a press: the requested one, or open if the place has it already.
 *
 * @param {number} now The place's mark.
 * @param {number} wish 0 for a cross, k for a colour.
 */
export function pressed(now, wish) {
  return now === wish ? OPEN : wish;
}

/** The mark after a press that cycles through path, cross, open. */
export function cycled(now) {
  return { [OPEN]: 1, 1: 0, 0: OPEN }[now];
}

/**
 * The cells of a drag in one line: along its initial row or column.
 *
 * @param {{row: number, column: number}} from Where it began.
 * @param {{row: number, column: number}} to Where it is now.
 * @param {"row"|"column"|null} axis The line that it keeps to; null until it has left its first
 *   cell.
 * @returns {{cells: {row, column}[], axis: "row"|"column"|null}}
 */
export function dragged(from, to, axis) {
  const [down, right] = [to.row - from.row, to.column - from.column];
  const line =
    axis ?? (down || right ? (Math.abs(right) >= Math.abs(down) ? "row" : "column") : null);
  if (line === null) return { cells: [from], axis: null };
  const by = line === "row" ? right : down;
  const cells = Array.from({ length: Math.abs(by) + 1 }, (_, step) => {
    const at = step * Math.sign(by);
    return line === "row"
      ? { row: from.row, column: from.column + at }
      : { row: from.row + at, column: from.column };
  });
  return { cells, axis: line };
}

/**
 * Marks after a stroke, which changes the places with the same mark as its first place.
 *
 * @param {Uint8Array} marks Not changed.
 * @param {number[]} places
 * @param {number} was The mark that is replaced; null replaces any.
 * @param {number} to The new mark.
 * @param {Set<number>} fixed Places that must not change.
 */
export function painted(marks, places, was, to, fixed) {
  const next = marks.slice();
  for (const place of places)
    if (!fixed.has(place) && (was === null || marks[place] === was)) next[place] = to;
  return next;
}

/** The difference between two sets of marks: `{ places, before, after }`, null if there is none. */
export function difference(before, after) {
  const places = [];
  for (let at = 0; at < before.length; at++) if (before[at] !== after[at]) places.push(at);
  if (!places.length) return null;
  return { places, before: places.map((at) => before[at]), after: places.map((at) => after[at]) };
}

/** Marks after a difference is undone ("before") or redone ("after"). */
export function applied(marks, step, side) {
  const next = marks.slice();
  step.places.forEach((place, at) => (next[place] = step[side][at]));
  return next;
}
