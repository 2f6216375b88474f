// Conversion of the page's puzzles to the core's form; reports errors in them.

import { fromPicture, fromPuzzle } from "../state/document.js";
import { neededBy } from "../state/clues.js";
import { puzzleOf } from "../play/puzzle.js";
import { isSolved } from "../play/rules.js";
import { AnswerError } from "./errors.js";

const MOST_LENGTH = 999_999_999;
const SHOWN_BLOCKS = 8; // of a clue in a reason

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
    const problem = isLength
      ? `colour ${colour}, expected 1 to ${palette.length}`
      : `length ${length}, expected a positive whole number up to ${MOST_LENGTH} ` +
        "(or an unknown length); an empty line has no blocks";
    const error = new AnswerError("PuzzleError", `${nameOf(line)} has a block of ${problem}`);
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

/** A line with its clue: "row 28 (clue 40)", of which at most some blocks are listed. */
export function namedLine(line, { palette, signs, rowClues, columnClues }, most = Infinity) {
  const clue = line.row === undefined ? columnClues[line.column] : rowClues[line.row];
  const texts = clue
    .slice(0, most)
    .map(({ length, colour }) => `${length ?? "?"}${palette.length > 1 ? signs[colour] : ""}`);
  const rest = clue.length > most ? ` ..., ${clue.length} blocks` : "";
  return `${nameOf(line)} (clue ${texts.join(" ") || "0"}${rest})`;
}

/** A number of cells in words. */
export const counted = (cells) => (cells === 1 ? "1 cell" : `${cells} cells`);

/**
 * An evident reason why the clues have no solution, in the library's words; null if there is none.
 *
 * @returns {{lines: object[], reason: string, sentence: string} | null}
 */
export function contradictionAtSight(puzzle) {
  return tooLong(puzzle) ?? unlikeSums(puzzle);
}

function tooLong(puzzle) {
  const { height, width, rowClues, columnClues } = puzzle;
  const sides = [
    [rowClues, width, (row) => ({ row })],
    [columnClues, height, (column) => ({ column })],
  ];
  for (const [clues, length, lineAt] of sides) {
    const at = clues.findIndex((clue) => neededBy(clue) > length);
    if (at < 0) continue;
    const line = lineAt(at);
    const needs = `needs at least ${counted(neededBy(clues[at]))}, it has ${length}`;
    return {
      lines: [line],
      reason: `${namedLine(line, puzzle, SHOWN_BLOCKS)} ${needs}`,
      sentence: `${capital(namedLine(line, puzzle))} does not fit into ${counted(length)}.`,
    };
  }
  return null;
}

function unlikeSums({ palette, keys, rowClues, columnClues }) {
  for (let colour = 1; colour <= palette.length; colour += 1) {
    const blocks = (clues) => clues.flat().filter((block) => block.colour === colour);
    const sum = (clues) => blocks(clues).reduce((cells, { length }) => cells + length, 0);
    const isOpen = blocks([...rowClues, ...columnClues]).some(({ length }) => length === null);
    const [rows, columns] = [sum(rowClues), sum(columnClues)];
    if (isOpen || rows === columns) continue;
    const kind = palette.length > 1 ? ` of colour '${keys[colour - 1]}'` : "";
    const reason = `the rows fill ${counted(rows)}${kind}, the columns ${columns}`;
    return { lines: [], reason, sentence: `${capital(reason)}.` };
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
