// Completed numbers of a clue: those whose run is known to be the whole block; and lines that
// decide more of their cells.
//
// Over all placements of the clue that agree with the marks, a run of marked cells belongs to some
// block. If it is the same block in all of them, and the block is never longer than the run, its
// number is crossed off. A number is therefore never crossed off because of its length alone, and
// marks that agree with no placement cross off nothing.
//
// Tables of placements take O(blocks x length) steps, with unknown lengths O(blocks x length^2);
// then each run is tried as a part of each block.

const OPEN = 255;

/**
 * Flags of the completed blocks of a line.
 *
 * @param {{length: number|null, colour: number}[]|null} clue Blocks in order; a length may be
 *   unknown.
 * @param {ArrayLike<number>} marks A mark a cell: 0 crossed, k colour k, 255 open.
 * @returns {boolean[]} One a block.
 */
export function doneBlocks(clue, marks) {
  if (!clue) return [];
  const done = clue.map(() => false);
  const runs = runsOf(marks);
  if (!runs.length) return done;
  const line = tablesOf(clue, marks);
  for (const run of runs) {
    const only = onlyBlock(line, run);
    if (only >= 0) done[only] = true;
  }
  return done;
}

const [NONE, SEVERAL] = [-1, -2];

/**
 * True if all placements that agree with the marks have the same value in some open cell.
 *
 * @param {{length: number|null, colour: number}[]|null} clue
 * @param {ArrayLike<number>} marks As for `doneBlocks`.
 */
export function decidesMore(clue, marks) {
  if (!clue) return false;
  const line = tablesOf(clue, marks);
  const values = new Int16Array(marks.length).fill(NONE); // the only one so far
  const add = (at, value) => {
    values[at] = values[at] === NONE || values[at] === value ? value : SEVERAL;
  };
  for (let at = 0; at < marks.length; at += 1) if (mayBeEmpty(line, at)) add(at, 0);
  clue.forEach((_, block) => addBlock(line, block, add));
  return values.some((value, at) => value >= 0 && marks[at] === OPEN);
}

/** True if a cell is empty in some placement: the blocks fit on both sides of it. */
function mayBeEmpty({ clue, marks, left, right }, at) {
  if (!isEmpty(marks[at])) return false;
  return left.some((fits, num) => fits[at] && right[clue.length - num][marks.length - 1 - at]);
}

/** Call `add(cell, colour)` for the cells of each place that a block has in some placement. */
function addBlock(line, block, add) {
  const { marks, clue } = line;
  const { length, colour } = clue[block];
  for (let from = 0; from < marks.length; from += 1) {
    const most = Math.min(marks.length, from + (length ?? marks.length));
    let end = from; // of the longest place that begins here; it holds the others
    for (let to = from + 1; to <= most; to += 1) {
      if (marks[to - 1] !== colour && marks[to - 1] !== OPEN) break;
      if ((length === null || to === most) && fits(line, block, from, to)) end = to;
    }
    if (length !== null && end < from + length) continue;
    for (let at = from; at < end; at += 1) add(at, colour);
  }
}

/** Run of marked cells as `{ start, end, colour }`. */
export function runsOf(marks) {
  const runs = [];
  for (let start = 0; start < marks.length;) {
    const colour = marks[start];
    let end = start + 1;
    while (end < marks.length && marks[end] === colour) end += 1;
    if (colour !== 0 && colour !== OPEN) runs.push({ start, end, colour });
    start = end;
  }
  return runs;
}

/** The only block that a run is in all placements; -1 if there are several, it is a part, or none.
 */
function onlyBlock(line, run) {
  const room = roomAround(line.marks, run);
  let only = -1;
  for (let at = 0; at < line.clue.length; at += 1) {
    const { length, colour } = line.clue[at];
    const size = run.end - run.start;
    if (colour !== run.colour || (length !== null && length < size)) continue;
    if (isPart(line, run, at, room)) return -1;
    if ((length !== null && length > size) || !fits(line, at, run.start, run.end)) continue;
    if (only >= 0) return -1;
    only = at;
  }
  return only;
}

/** The cells around a run that may have its colour: `{ first, last }`, `last` is exclusive. */
function roomAround(marks, { start, end, colour }) {
  const mayBe = (mark) => mark === colour || mark === OPEN;
  let [first, last] = [start, end];
  while (first > 0 && mayBe(marks[first - 1])) first -= 1;
  while (last < marks.length && mayBe(marks[last])) last += 1;
  return { first, last };
}

/** True if the run is a proper part of this block in some placement. */
function isPart(line, { start, end }, at, { first, last }) {
  const { length } = line.clue[at];
  for (let from = first; from <= start; from += 1) {
    const [nearest, farthest] = length === null ? [end, last] : [from + length, from + length];
    for (let to = Math.max(end, nearest); to <= Math.min(last, farthest); to += 1) {
      if ((from !== start || to !== end) && fits(line, at, from, to)) return true;
    }
  }
  return false;
}

/** True if the other blocks fit on both sides of one that covers these cells. */
function fits({ clue, marks, before, after }, at, from, to) {
  return before[at][from] && after[clue.length - 1 - at][marks.length - to];
}

/** A line with the tables of its placements from both sides. */
function tablesOf(clue, marks) {
  const [before, left] = prefixes(clue, marks);
  const [after, right] = prefixes([...clue].reverse(), Uint8Array.from(marks).reverse());
  return { clue, marks, before, left, after, right };
}

/**
 * Tables from the left: of starts, [j][i] is 1 if block j (from 0) may start at cell i, because the
 * blocks before it fit into the cells before it and cover all coloured ones; of rooms, [j][i] is 1
 * if the first j blocks do so in the first i cells.
 */
function prefixes(clue, marks) {
  let fits = new Uint8Array(marks.length + 1);
  fits[0] = 1;
  for (let i = 1; i <= marks.length && isEmpty(marks[i - 1]); i++) fits[i] = 1;
  const [starts, rooms] = [[], [fits]];
  clue.forEach((block, j) => {
    starts.push(startsOf(clue, j, fits, marks));
    fits = endsOf(block, starts[j], marks);
    rooms.push(fits);
  });
  return [starts, rooms];
}

/** Starts of block j that the blocks before it allow: blocks of the same colour need a gap. */
function startsOf(clue, j, fits, marks) {
  if (j === 0 || clue[j - 1].colour !== clue[j].colour) return fits;
  const starts = new Uint8Array(fits.length);
  for (let i = 1; i < fits.length; i++) starts[i] = fits[i - 1] && isEmpty(marks[i - 1]) ? 1 : 0;
  return starts;
}

/** True if the first i cells hold all blocks up to one that begins at one of these places. */
function endsOf({ length, colour }, free, marks) {
  const fits = new Uint8Array(free.length);
  let room = 0; // cells before i that may have the colour, in a row
  for (let i = 1; i < free.length; i++) {
    const mark = marks[i - 1];
    room = mark === colour || mark === OPEN ? room + 1 : 0;
    fits[i] = fits[i - 1] && isEmpty(mark) ? 1 : 0;
    const shortest = length ?? 1;
    const longest = Math.min(length ?? room, room);
    for (let size = shortest; size <= longest && !fits[i]; size++) fits[i] = free[i - size];
  }
  return fits;
}

function isEmpty(mark) {
  return mark === 0 || mark === OPEN;
}
