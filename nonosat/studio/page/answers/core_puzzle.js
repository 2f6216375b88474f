// Conversion of the page's puzzles to the core's form; reports errors in them.

import { fromPicture, fromPuzzle } from "../state/document.js";
import { neededBy } from "../state/clues.js";
import { puzzleOf } from "../play/puzzle.js";
import { isSolved } from "../play/rules.js";
import { AnswerError } from "./errors.js";

const MOST_LENGTH = 999_999_999;

/**
 * Read a puzzle as it is sent.
 *
 * @param {object} sent SENT of the README.
 * @returns {object} `{ doc, puzzle, isPicture, core }`: the document; what its solver sees
 *   (`play/puzzle.js`); the core's own puzzle (`core_native.js`).
 * @throws {AnswerError} It is invalid, or cannot be answered here; `line` names a clue.
 */
export function readSent(sent) {
  const isPicture = Boolean(sent?.picture);
  let doc;
  try {
    doc = isPicture ? fromPicture(sent, sent.title, sent.author) : fromPuzzle(sent.puzzle);
  } catch {
    throw new AnswerError("FormatError", "no puzzle was sent that can be read");
  }
  if ((doc.family ?? "nonogram") !== "nonogram") {
    throw new AnswerError(
      "UnsupportedError",
      "This page checks only nonograms; nonosat on your computer checks all puzzles.",
    );
  }
  const puzzle = puzzleOf(doc);
  puzzle.rowClues.forEach((clue, row) => checkClue(clue, puzzle, { row }));
  puzzle.columnClues.forEach((clue, column) => checkClue(clue, puzzle, { column }));
  return { doc, puzzle, isPicture, core: coreOf(doc, puzzle, isPicture) };
}

function checkClue(clue, { palette }, line) {
  for (const { length, colour } of clue) {
    const isLength =
      length === null || (Number.isInteger(length) && length >= 1 && length <= MOST_LENGTH);
    if (isLength && colour >= 1 && colour <= palette.length) continue;
    const error = new AnswerError(
      "PuzzleError",
      `${nameOf(line)} has a block of length ${length}, expected 1 or more`,
    );
    error.line = line;
    throw error;
  }
}

function coreOf(doc, puzzle, isPicture) {
  const { height, width } = puzzle;
  const plain = (clue) => clue.map(({ length, colour }) => [length ?? 0, colour]);
  const given = puzzle.given.length ? new Uint8Array(height * width).fill(255) : null;
  for (const [row, column, value] of puzzle.given) given[row * width + column] = value;
  return {
    height,
    width,
    numColours: puzzle.palette.length,
    rows: puzzle.rowClues.map(plain),
    columns: puzzle.columnClues.map(plain),
    given,
    picture: isPicture ? doc.cells : null,
  };
}

/** A line in words, counted from 1. */
export const nameOf = ({ row, column }) =>
  row === undefined ? `column ${column + 1}` : `row ${row + 1}`;

/** A sentence with a capital letter. */
export const capital = (words) => words[0].toUpperCase() + words.slice(1);

/** The line of a number, rows first. */
export const lineOf = (number, { height }) =>
  number < height ? { row: number } : { column: number - height };

/** Throw unless cells solve a puzzle: a wrong answer is worse than none. */
export function checkSolution(puzzle, cells) {
  if (isSolved(puzzle, cells)) return;
  throw new AnswerError(
    "BackendError",
    "The core gave a solution that the clues refute. Please report this puzzle.",
  );
}

/**
 * An evident reason why the clues have no solution; null if there is none.
 *
 * @returns {{lines: object[], sentence: string} | null}
 */
export function contradictionAtSight(puzzle) {
  return tooLong(puzzle) ?? unlikeSums(puzzle);
}

function tooLong({ height, width, rowClues, columnClues }) {
  const sides = [
    [rowClues, width, (row) => ({ row })],
    [columnClues, height, (column) => ({ column })],
  ];
  for (const [clues, length, lineAt] of sides) {
    const at = clues.findIndex((clue) => neededBy(clue) > length);
    if (at < 0) continue;
    const line = lineAt(at);
    const needed = neededBy(clues[at]);
    const cells = length === 1 ? "1 cell" : `${length} cells`;
    const sentence = `${capital(nameOf(line))} has ${cells}, and its clue needs ${needed}.`;
    return { lines: [line], sentence };
  }
  return null;
}

function unlikeSums({ palette, rowClues, columnClues }) {
  const blocks = [...rowClues, ...columnClues].flat();
  if (blocks.some(({ length }) => length === null)) return null;
  for (let colour = 1; colour <= palette.length; colour += 1) {
    const sum = (clues) =>
      clues
        .flat()
        .reduce((cells, block) => cells + (block.colour === colour ? block.length : 0), 0);
    const [rows, columns] = [sum(rowClues), sum(columnClues)];
    if (rows === columns) continue;
    const what = palette.length > 1 ? `cells of colour ${colour}` : "filled cells";
    return { lines: [], sentence: `The rows have ${rows} ${what}, the columns have ${columns}.` };
  }
  return null;
}

/** Cells as rows of the library's characters. */
export function rowsOf(cells, { width, signs }) {
  const text = Array.from(cells, (value) => signs[value]).join("");
  return Array.from({ length: cells.length / width }, (_, row) =>
    text.slice(row * width, (row + 1) * width),
  );
}
