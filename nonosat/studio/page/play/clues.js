// The clues of a game with crossed-off numbers, and the lines that decide more cells. Lines whose
// marks did not change keep the same clue object, so that it is not drawn again.

import { decidesMore, doneBlocks } from "./line.js";

const remembered = new WeakMap();

/**
 * Clues in the form of a scene.
 *
 * @param {object} puzzle A nonogram, as `puzzleOf` returns it.
 * @param {Uint8Array} marks A mark a cell.
 * @returns {{rowClues: object[], columnClues: object[]}}
 */
export function crossedOff(puzzle, marks) {
  const { rows, columns } = linesOf(puzzle, marks);
  return { rowClues: rows.map(({ clue }) => clue), columnClues: columns.map(({ clue }) => clue) };
}

/** The lines that decide an open cell by themselves, `{ row }` or `{ column }` each. */
export function advancing(puzzle, marks) {
  const { rows, columns } = linesOf(puzzle, marks);
  const isMore = (line) => (line.isMore ??= decidesMore(line.clue, line.marks));
  const found = (lines, name) => lines.flatMap((line, at) => (isMore(line) ? { [name]: at } : []));
  return [...found(rows, "row"), ...found(columns, "column")];
}

/** Clues and marks of all lines; unchanged lines are the same objects as in the call before. */
function linesOf(puzzle, marks) {
  const { width, height, rowClues, columnClues } = puzzle;
  if (!remembered.has(puzzle)) remembered.set(puzzle, { rows: [], columns: [] });
  const { rows, columns } = remembered.get(puzzle);
  const row = (at) => marks.slice(at * width, (at + 1) * width);
  const column = (at) =>
    Uint8Array.from({ length: height }, (_, place) => marks[place * width + at]);
  renew(rows, rowClues, row);
  renew(columns, columnClues, column);
  return { rows, columns };
}

function renew(lines, clues, marksOf) {
  clues.forEach((clue, at) => {
    const marks = marksOf(at);
    const text = marks.join();
    if (lines[at]?.text !== text) lines[at] = { text, marks, clue: withDone(clue, marks) };
  });
}

function withDone(clue, line) {
  if (!clue) return clue;
  const done = doneBlocks(clue, line);
  return clue.map((block, at) => ({ ...block, done: done[at] }));
}
