// The clues of a game with crossed-off numbers. Lines whose marks did not change keep the same clue
// object, so that it is not drawn again.

import { doneBlocks } from "./line.js";

const remembered = new WeakMap();

/**
 * Clues in the form of a scene.
 *
 * @param {object} puzzle A nonogram, as `puzzleOf` returns it.
 * @param {Uint8Array} marks A mark a cell.
 * @returns {{rowClues: object[], columnClues: object[]}}
 */
export function crossedOff(puzzle, marks) {
  let lines = remembered.get(puzzle);
  if (!lines)
    remembered.set(puzzle, (lines = { rows: [], columns: [], rowClues: [], columnClues: [] }));
  const { width, height } = puzzle;
  const row = (at) => marks.slice(at * width, (at + 1) * width);
  const column = (at) =>
    Uint8Array.from({ length: height }, (_, place) => marks[place * width + at]);
  return {
    rowClues: renewed(puzzle.rowClues, row, lines, "rows"),
    columnClues: renewed(puzzle.columnClues, column, lines, "columns"),
  };
}

function renewed(clues, lineOf, lines, side) {
  const known = lines[side];
  return clues.map((clue, at) => {
    const line = lineOf(at);
    const text = line.join();
    if (known[at]?.text !== text) known[at] = { text, clue: withDone(clue, line) };
    return known[at].clue;
  });
}

function withDone(clue, line) {
  if (!clue) return clue;
  const done = doneBlocks(clue, line);
  return clue.map((block, at) => ({ ...block, done: done[at] }));
}
