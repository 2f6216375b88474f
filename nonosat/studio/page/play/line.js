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
  const after = prefixes([...clue].reverse(), Array.from(marks).reverse());
  for (const run of runs) {
    const found = clue.flatMap((_, at) => (isBlock(clue, marks.length, run, at, before, after) ? [at] : []));
    if (found.length === 1) done[found[0]] = true;
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

/** Whether in some placement that fits the marks this block is this run. */
function isBlock(clue, length, run, at, before, after) {
  const { length: size, colour } = clue[at];
  if (colour !== run.colour || (size !== null && size !== run.end - run.start)) return false;
  const behind = clue.length - 1 - at;
  return before.free[at][run.start] && after.free[behind][length - run.end];
}

/**
 * What fits into the first cells of a line: `fits[j][i]` whether j blocks fit into i cells so that
 * all coloured ones are covered, `free[j][i]` whether a block j (from 0) may then begin at i.
 */
function prefixes(clue, marks) {
  const fits = [new Array(marks.length + 1).fill(false)];
  fits[0][0] = true;
  for (let i = 1; i <= marks.length; i++) fits[0][i] = fits[0][i - 1] && isEmpty(marks[i - 1]);
  const free = [];
  clue.forEach((block, j) => {
    free.push(startsOf(clue, j, fits[j], marks));
    fits.push(endsOf(block, free[j], marks));
  });
  return { fits, free };
}

/** Where block j may begin as far as the blocks before it go: the same colour needs a gap. */
function startsOf(clue, j, fits, marks) {
  if (j === 0 || clue[j - 1].colour !== clue[j].colour) return [...fits];
  return fits.map((_, i) => i > 0 && fits[i - 1] && isEmpty(marks[i - 1]));
}

/** Whether the first i cells hold all blocks up to one that begins at one of these places. */
function endsOf({ length, colour }, free, marks) {
  const fits = new Array(marks.length + 1).fill(false);
  let room = 0; // cells before i that may have the colour, in a row
  for (let i = 1; i <= marks.length; i++) {
    const mark = marks[i - 1];
    room = mark === colour || mark === OPEN ? room + 1 : 0;
    fits[i] = fits[i - 1] && isEmpty(mark);
    const [shortest, longest] = length === null ? [1, room] : [length, length];
    for (let size = shortest; size <= Math.min(longest, room) && !fits[i]; size++) fits[i] = free[i - size];
  }
  return fits;
}

function isEmpty(mark) {
  return mark === 0 || mark === OPEN;
}
