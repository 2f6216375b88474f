// Which numbers of a clue are done: those that a finished run is known to be.
//
// A run is finished where nothing can lengthen it: on both sides the board ends, or there is a
// cross or another colour. Over all placements of the clue that fit the marks, such a run is some
// block; where it is the same block in all of them, its number is crossed off. So a number is never
// crossed off because of its length alone, and marks that no placement fits cross off nothing.
//
// Tables of placements take O(blocks x length) steps, with unknown lengths O(blocks x length^2).

/** Marks of a line are 0 crossed, k colour k, 255 open; blocks `{ length, colour }`. */
const OPEN = 255;

/**
 * Which blocks of a line are done.
 *
 * @param {{length: number|null, colour: number}[]|null} clue Blocks in order; a length may be unknown.
 * @param {ArrayLike<number>} marks A mark a cell: 0 crossed, k colour k, 255 open.
 * @returns {boolean[]} One a block.
 */
export function doneBlocks(clue, marks) {
  if (!clue) return [];
  const done = clue.map(() => false);
  const runs = finishedRuns(marks);
  if (!runs.length) return done;
  const before = prefixes(clue, marks);
  const after = prefixes([...clue].reverse(), Uint8Array.from(marks).reverse());
  for (const run of runs) {
    const only = onlyBlock(clue, marks.length, run, before, after);
    if (only >= 0) done[only] = true;
  }
  return done;
}

/** Runs that nothing can lengthen, as `{ start, end, colour }`. */
export function finishedRuns(marks) {
  const runs = [];
  for (let start = 0; start < marks.length; ) {
    const colour = marks[start];
    let end = start + 1;
    if (colour === 0 || colour === OPEN) {
      start = end;
      continue;
    }
    while (end < marks.length && marks[end] === colour) end++;
    if (isClosed(marks, start - 1) && isClosed(marks, end)) runs.push({ start, end, colour });
    start = end;
  }
  return runs;
}

function isClosed(marks, at) {
  return at < 0 || at >= marks.length || marks[at] !== OPEN;
}

/** The one block that a run is in all placements; -1 where it is several, or none. */
function onlyBlock(clue, length, run, before, after) {
  let only = -1;
  for (let at = 0; at < clue.length; at++) {
    if (!isBlock(clue, length, run, at, before, after)) continue;
    if (only >= 0) return -1;
    only = at;
  }
  return only;
}

/** Whether in some placement that fits the marks this block is this run. */
function isBlock(clue, length, run, at, before, after) {
  const { length: size, colour } = clue[at];
  if (colour !== run.colour || (size !== null && size !== run.end - run.start)) return false;
  const behind = clue.length - 1 - at;
  return before[at][run.start] && after[behind][length - run.end];
}

/**
 * What fits into the first cells of a line: at [j][i] is 1 where a block j (from 0) may begin at
 * cell i, for the blocks before it fit into the cells before it and cover all coloured ones.
 */
function prefixes(clue, marks) {
  let fits = new Uint8Array(marks.length + 1); // whether the blocks so far fit into i cells
  fits[0] = 1;
  for (let i = 1; i <= marks.length && isEmpty(marks[i - 1]); i++) fits[i] = 1;
  const free = [];
  clue.forEach((block, j) => {
    free.push(startsOf(clue, j, fits, marks));
    fits = endsOf(block, free[j], marks);
  });
  return free;
}

/** Where block j may begin as far as the blocks before it go: the same colour needs a gap. */
function startsOf(clue, j, fits, marks) {
  if (j === 0 || clue[j - 1].colour !== clue[j].colour) return fits;
  const starts = new Uint8Array(fits.length);
  for (let i = 1; i < fits.length; i++) starts[i] = fits[i - 1] && isEmpty(marks[i - 1]) ? 1 : 0;
  return starts;
}

/** Whether the first i cells hold all blocks up to one that begins at one of these places. */
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
