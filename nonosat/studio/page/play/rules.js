// Rules of a nonogram on a board: satisfied lines, and the test for a solution. Any solution counts;
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

/**
 * The number of satisfied lines of a nonogram.
 *
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {Uint8Array} marks A mark a cell: 0 empty, k colour k, 255 none, which counts as empty.
 * @returns {{done: number, of: number}}
 */
export function progressOf(puzzle, marks) {
  const { height, width } = puzzle;
  const cells = marks.map((mark) => (mark === 255 ? 0 : mark));
  const rows = puzzle.rowClues.filter((clue, row) => fitsClue(clue, clueOfRow(cells, width, row)));
  const columns = puzzle.columnClues.filter((clue, column) =>
    fitsClue(clue, clueOfColumn(cells, width, height, column)),
  );
  return { done: rows.length + columns.length, of: height + width };
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
