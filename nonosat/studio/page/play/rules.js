// Rules of a nonogram on a board: satisfied lines, the test for a solution. Any solution counts;
// no stored picture is used.

import { clueOfColumn, clueOfRow } from "../state/clues.js";

/**
 * True if a line's blocks are those of its clue; an unknown length matches any, no clue any line.
 */
export function fitsClue(clue, blocks) {
  if (!clue) return true;
  return (
    blocks.length === clue.length &&
    clue.every(
      ({ length, colour }, at) =>
        colour === blocks[at].colour && (length === null || length === blocks[at].length),
    )
  );
}

/** The colours of marks: an open cell counts as empty. */
const filledIn = (marks) => marks.map((mark) => (mark === 255 ? 0 : mark));

/**
 * The number of satisfied lines of a nonogram.
 *
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {Uint8Array} marks A mark a cell: 0 empty, k colour k, 255 none, which counts as empty.
 * @returns {{done: number, of: number}}
 */
export function progressOf(puzzle, marks) {
  const { height, width } = puzzle;
  const cells = filledIn(marks);
  const rows = puzzle.rowClues.filter((clue, row) => fitsClue(clue, clueOfRow(cells, width, row)));
  const columns = puzzle.columnClues.filter((clue, column) =>
    fitsClue(clue, clueOfColumn(cells, width, height, column)),
  );
  return { done: rows.length + columns.length, of: height + width };
}

/**
 * Marks in which the open cells of complete lines are crossed. After a move only lines are
 * considered whose filled cells differ from those before, so that a removed cross does not come
 * back; an erased cell can complete a line, too.
 *
 * @param {object} puzzle A nonogram.
 * @param {Uint8Array|null} before Marks before the move; null considers all lines.
 * @param {Uint8Array} marks Not changed.
 */
export function crossedOut(puzzle, before, marks) {
  const { height, width, rowClues, columnClues } = puzzle;
  const filled = filledIn(marks);
  const filledBefore = before && filledIn(before);
  const next = marks.slice();
  const cross = (clue, cells, blocks) => {
    const isChanged = !filledBefore || cells.some((at) => filledBefore[at] !== filled[at]);
    const isComplete = clue?.every(({ length }) => length !== null) && fitsClue(clue, blocks);
    if (isChanged && isComplete) for (const at of cells) if (marks[at] === 255) next[at] = 0;
  };
  rowClues.forEach((clue, row) => {
    const cells = Array.from({ length: width }, (_, at) => row * width + at);
    cross(clue, cells, clueOfRow(filled, width, row));
  });
  columnClues.forEach((clue, column) => {
    const cells = Array.from({ length: height }, (_, at) => at * width + column);
    cross(clue, cells, clueOfColumn(filled, width, height, column));
  });
  return next;
}

/** True if a nonogram is solved: every line has its clue's blocks, given cells are unchanged. */
export function isSolved(puzzle, marks) {
  const holdsGiven = puzzle.given.every(([row, column, value]) => {
    const mark = marks[row * puzzle.width + column];
    return (mark === 255 ? 0 : mark) === value;
  });
  const { done, of } = progressOf(puzzle, marks);
  return holdsGiven && done === of;
}
