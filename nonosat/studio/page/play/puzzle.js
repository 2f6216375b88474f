// A document as its solver sees it: clues, given cells and colours, without the picture.

import { COLOUR_LETTERS } from "../state/colours.js";
import { cluesOf } from "../state/document.js";

// The library's names for colours 1, 2, ... if their keys are not single characters.
const SIGNS = "#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const LETTERS = "abcdefghijklmnop"; // in the rows of a question

/**
 * The part of a document that is played and explained.
 *
 * @param {object} doc A document.
 * @returns {object} `{ family, height, width, palette, background, title, keys, signs }`: `keys`
 *   name the colours, `signs[v]` is the library's character for value v. Of a nonogram also
 *   `rowClues`, `columnClues` (lists of `{ length, colour }`, length null if it is unknown, or
 *   null for a line without a clue) and `given` (`[row, column, value]`, 0 empty, k colour k); of
 *   a Slitherlink `clues`, rows of characters.
 */
export function puzzleOf(doc) {
  if (!remembered.has(doc)) remembered.set(doc, read(doc));
  return remembered.get(doc);
}

/** The reason why a puzzle cannot be played, in a sentence; "" if it can. */
export function whyUnplayable({ family, palette, rowClues, columnClues }) {
  if (!["nonogram", "slitherlink"].includes(family))
    return "Nonograms and Slitherlinks can be played here.";
  if (family === "nonogram" && [...rowClues, ...columnClues].every((clue) => clue?.length === 0))
    return "There are no clues yet. Draw a picture or type clues first.";
  if (palette.length <= LETTERS.length) return "";
  return `This puzzle has ${palette.length} colours, at most ${LETTERS.length} can be played here.`;
}

const remembered = new WeakMap();

function read(doc) {
  const { height, width, palette, background } = doc;
  const family = doc.family ?? "nonogram";
  const puzzle = { family, height, width, palette, background, title: doc.title ?? "" };
  if (family === "slitherlink") return { ...puzzle, keys: [], signs: "x#", clues: doc.puzzle.rows };
  if (family !== "nonogram") return { ...puzzle, keys: [], signs: ".#" };
  const colours = doc.kind === "picture" ? null : doc.puzzle.colors;
  const keys = [...(colours ? Object.keys(colours) : COLOUR_LETTERS.slice(0, palette.length))];
  const { rowClues, columnClues } = cluesOf(doc);
  const given = doc.kind === "picture" ? [] : givenOf(doc.puzzle, keys);
  return { ...puzzle, keys, signs: signsOf(keys), rowClues, columnClues, given };
}

/** The library's characters for empty cells and colours with these keys. */
export function signsOf(keys) {
  const areSigns =
    keys.length > 1 && keys.every((key) => /^[!-~]$/.test(key) && !".?".includes(key));
  return `.${areSigns ? keys.join("") : SIGNS.slice(0, keys.length)}`;
}

function givenOf(data, keys) {
  const valueOf = (key) => (typeof key === "number" ? key : keys.indexOf(key) + 1);
  return (data.given ?? []).map(([row, column, key]) => [row, column, valueOf(key)]);
}

/**
 * The value of a character in an answer: 0 empty, k colour k, 255 unknown.
 *
 * @param {string} sign A character.
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {object} [legend] The answer's own: the key of a colour by its character.
 */
export function valueOf(sign, puzzle, legend) {
  if (sign === ".") return 0;
  if (sign === "?") return 255;
  if (puzzle.family === "slitherlink") return sign === "#" ? 1 : 0;
  const key = legend?.[sign];
  const named = key === undefined ? -1 : puzzle.keys.indexOf(key);
  if (named >= 0) return named + 1;
  const known = puzzle.signs.indexOf(sign);
  return known > 0 ? known : onlyColour(puzzle);
}

/** The only colour that a puzzle uses, if it is a single one. */
function onlyColour(puzzle) {
  const blocks = [...(puzzle.rowClues ?? []), ...(puzzle.columnClues ?? [])].flatMap(
    (clue) => clue ?? [],
  );
  return blocks[0]?.colour ?? 1;
}

/** Convert rows of an answer to a value a cell. */
export function cellsOf(rows, puzzle, legend) {
  return Uint8Array.from(rows.join(""), (sign) => valueOf(sign, puzzle, legend));
}

/** Marks in the form of a question: rows of a picture's letters, "?" for open cells. */
export function rowsOf(marks, { height, width }) {
  const signs = Array.from(marks, (value) =>
    value === 255 ? "?" : value ? LETTERS[value - 1] : ".",
  ).join("");
  return Array.from({ length: height }, (_, row) => signs.slice(row * width, (row + 1) * width));
}

/** The part of a document that its solvers see, its cells or its clues, for comparison. */
export function shapeOf(doc) {
  return doc?.kind === "picture" ? doc.cells : (doc?.puzzle ?? null);
}

/** A hash of a puzzle's clues: equal puzzles have equal names (53 bits). */
export function nameOf(puzzle) {
  const { family, height, width, clues, rowClues, columnClues, given } = puzzle;
  const text = JSON.stringify([
    family,
    height,
    width,
    clues,
    [rowClues, columnClues].map(bare),
    given,
  ]);
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high ^= Math.imul(low ^ (low >>> 15), 2246822507);
  low ^= Math.imul(high ^ (high >>> 13), 3266489909);
  return (4294967296 * (high & 0x1fffff) + (low >>> 0)).toString(36);
}

function bare(clues) {
  return clues?.map((clue) => clue?.map((block) => [block.length, block.colour]) ?? null) ?? null;
}
