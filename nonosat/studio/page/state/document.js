// Documents: a picture that is being drawn, or a puzzle of which only the clues are known. A
// document is never changed in place; changes create a new one.

import { clueOfColumn, clueOfRow } from "./clues.js";

/** The longest side of a board, and the most colours, that can be drawn. */
export const MAX_SIDE = 200;
export const MAX_COLOURS = 16;

/** A title or an author as typed: blanks at the ends are kept, a text of blanks becomes "". */
export const textOfField = (text) => (text.trim() ? text : "");

const ABOUT = ["copyright", "license", "source", "description"];

/** The texts of DATA, or of a picture as sent, about a puzzle, apart from title and author. */
export function aboutIn(data) {
  const isGiven = (name) => typeof data[name] === "string" && data[name];
  return Object.fromEntries(ABOUT.filter(isGiven).map((name) => [name, data[name]]));
}

/** Default colours, in this order; the first is ink. */
export const COLOURS = [
  "#1a1a1a",
  "#c8372d",
  "#2f6fb5",
  "#3b8a4a",
  "#e0a526",
  "#8a4ca0",
  "#2a9d9a",
  "#b5651d",
  "#e67aa8",
  "#7f8c8d",
  "#5d3a1a",
  "#96bf3d",
  "#1f3a6e",
  "#f2c9a0",
  "#6fb7e9",
  "#a31f5c",
];
export const PAPER = "#ffffff";

/**
 * An empty picture.
 *
 * @param {number} height Rows, 1 to 200.
 * @param {number} width Columns, 1 to 200.
 */
export function blank(height, width, { palette = [COLOURS[0]], background = PAPER } = {}) {
  return {
    kind: "picture",
    height,
    width,
    cells: new Uint8Array(height * width),
    palette,
    background,
    protected: null,
    title: "",
    author: "",
    about: {},
  };
}

/** The document with other cells (and other given fields). */
export function withCells(doc, cells, more = {}) {
  return { ...doc, ...more, cells };
}

/** True if two documents are equal in everything that history stores. */
export function sameDocument(a, b) {
  if (a === b) return true;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const key of keys) if (!sameValue(a[key], b[key])) return false;
  return true;
}

/** True if two fields of documents are equal: bytes by content, lists and objects as JSON. */
export function sameValue(a, b) {
  if (a === b) return true;
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.length !== b.length)
      return false;
    return a.every((value, at) => value === b[at]);
  }
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}

const LETTERS = ".abcdefghijklmnop";

/** Rows of cells as text: "." is empty, "a" to "p" are colours 1 to 16. */
export function rowsOfText(doc) {
  const rows = [];
  for (let row = 0; row < doc.height; row += 1) {
    let text = "";
    const first = row * doc.width;
    for (let column = 0; column < doc.width; column += 1)
      text += LETTERS[doc.cells[first + column]];
    rows.push(text);
  }
  return rows;
}

/** PICTURE of a document, as the server reads it. */
export function toPicture(doc) {
  const colours = {};
  doc.palette.forEach((colour, at) => (colours[LETTERS[at + 1]] = colour));
  return { picture: rowsOfText(doc), colours, background: doc.background };
}

/** DATA of a puzzle document, with the texts about it that the document has now. */
export function dataOfPuzzle({ puzzle, title, author, about = aboutIn(puzzle) }) {
  const texts = ["title", "author", ...ABOUT];
  const data = Object.fromEntries(Object.entries(puzzle).filter(([name]) => !texts.includes(name)));
  return { ...data, ...(title && { title }), ...(author && { author }), ...about };
}

/** SENT of a document: the puzzle in a question or for the live verdict. */
export function toSent(doc) {
  if (doc.kind === "puzzle") return { puzzle: dataOfPuzzle(doc) };
  return { ...toPicture(doc), title: doc.title, author: doc.author, ...doc.about };
}

/**
 * A document of a PICTURE.
 *
 * @param {{picture: string[], colours: object, background: string}} data Letters may be any of
 *   `colours`; their order there is the order of the palette. It may hold the texts of `aboutIn`.
 */
export function fromPicture(data, title = "", author = "") {
  const keys = Object.keys(data.colours ?? {}).sort();
  const height = data.picture.length;
  const width = data.picture[0]?.length ?? 0;
  const palette = keys.length ? keys.map((key) => data.colours[key]) : [COLOURS[0]];
  const doc = blank(height, width, { palette, background: data.background ?? PAPER });
  data.picture.forEach((text, row) => {
    for (let column = 0; column < width; column += 1) {
      doc.cells[row * width + column] = keys.indexOf(text[column]) + 1;
    }
  });
  return { ...doc, title, author, about: aboutIn(data) };
}

/**
 * A document of the library's own JSON of a puzzle.
 *
 * @param {object} data DATA; `family` states a family other than nonograms.
 */
export function fromPuzzle(data) {
  const family = data.family ?? "nonogram";
  const colours = Object.values(data.colors ?? {});
  return {
    kind: "puzzle",
    family,
    ...sizeOf(family, data),
    puzzle: data,
    palette: colours.length ? colours : [COLOURS[0]],
    background: data.background ?? PAPER,
    title: data.title ?? "",
    author: data.author ?? "",
    about: aboutIn(data),
  };
}

function sizeOf(family, data) {
  if (family === "nonogram") return { height: data.rows.length, width: data.columns.length };
  if (family === "slitherlink" && Array.isArray(data.rows)) {
    return { height: data.rows.length, width: Math.max(0, ...data.rows.map((row) => row.length)) };
  }
  const side = data.n ?? 0;
  return { height: data.rows ?? data.height ?? side, width: data.columns ?? data.width ?? side };
}

/** A puzzle document with other DATA (clues, colours); the texts about it stay the document's. */
export function withPuzzle({ title, author, about = {} }, puzzle) {
  return { ...fromPuzzle(puzzle), title, author, about };
}

const remembered = new WeakMap();

/**
 * The clues of a document, as scenes have them.
 *
 * @returns {{rowClues: object[][], columnClues: object[][]}} Blocks `{ length, colour }`; `length`
 *   is null if it is unknown. A line that has not changed since `before` keeps its list.
 */
export function cluesOf(doc) {
  let clues = remembered.get(doc);
  if (!clues) {
    clues = doc.kind === "picture" ? cluesOfPicture(doc) : cluesOfData(doc);
    remembered.set(doc, clues);
  }
  return clues;
}

/** The reason why there is no puzzle yet, as a sentence; "" for a document with a filled cell or a
 * block.
 */
export function nothingYet(doc) {
  if (doc?.kind === "picture")
    return doc.cells.some((cell) => cell) ? "" : "There is nothing drawn yet.";
  if (doc?.family !== "nonogram") return "";
  const { rowClues, columnClues } = cluesOf(doc);
  const isBlank = [...rowClues, ...columnClues].every((clue) => clue.length === 0);
  return isBlank ? "There is nothing typed yet." : "";
}

function cluesOfPicture(doc) {
  const { cells, height, width } = doc;
  return {
    rowClues: Array.from({ length: height }, (_, row) => clueOfRow(cells, width, row)),
    columnClues: Array.from({ length: width }, (_, at) => clueOfColumn(cells, width, height, at)),
  };
}

function cluesOfData(doc) {
  if (doc.family !== "nonogram") return { rowClues: [], columnClues: [] };
  const keys = Object.keys(doc.puzzle.colors ?? {});
  const block = (value) =>
    Array.isArray(value)
      ? { length: value[0], colour: Math.max(1, keys.indexOf(value[1]) + 1) }
      : { length: value, colour: 1 };
  const clue = (line) => line.filter((value) => value !== 0).map(block);
  return { rowClues: doc.puzzle.rows.map(clue), columnClues: doc.puzzle.columns.map(clue) };
}

/** The name of a file with a document: its title in lower case, words joined by hyphens. */
export function fileNameOf({ title }, suffix) {
  const words = (title ?? "").toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${words.join("-").slice(0, 80) || "puzzle"}${suffix}`;
}
