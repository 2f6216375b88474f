// Files that the page reads and writes itself: shared texts, the library's own JSON, Simpson's
// .non, and clues as plain numbers. The Python library reads all other formats.

import { AnswerError } from "./errors.js";
import { cluesOf, fileNameOf, fromPicture, fromPuzzle, toPicture } from "../state/document.js";
import { documentOf, isShared, shareText, sharedDocument } from "../state/share.js";
import { puzzleOf } from "../play/puzzle.js";

/** The formats in the answer to `about`. */
export const FORMATS = [
  {
    name: "jsonl",
    summary: "the project's own JSON Lines: everything",
    suffix: ".jsonl",
    writes: true,
    families: ["nonogram", "slitherlink"],
  },
  {
    name: "non",
    summary: "Simpson's .non, of one colour",
    suffix: ".non",
    writes: true,
    families: ["nonogram"],
  },
  {
    name: "share",
    summary: "the whole puzzle as a short text",
    suffix: ".share",
    writes: true,
    families: ["nonogram", "slitherlink"],
  },
];
const OTHERS =
  "This page reads shared texts, the project's JSON, .non files and lists of clues; " +
  "nonosat studio on your computer reads all other formats.";

/**
 * The puzzles of a file.
 *
 * @param {Blob} file
 * @param {string} name Of the file; "" of a text.
 * @returns {Promise<{puzzles: object[], warnings: string[]}>} As the question `read` answers.
 */
export async function readFile(file, name = "") {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new AnswerError("FormatError", OTHERS);
  }
  const documents = await documentsIn(text, name);
  return { puzzles: documents.map(answerOf), warnings: [] };
}

async function documentsIn(text, name) {
  try {
    if (isShared(text)) return [await sharedDocument(text.trim())];
    if (/^\s*[[{]/.test(text)) return dataIn(text).map(documentOf);
    return [documentOf(cluesIn(text))];
  } catch (error) {
    if (error instanceof AnswerError) throw error;
    throw new AnswerError(
      "FormatError",
      `${name || "the text"} holds no puzzle that this page can read: ${error.message}`,
    );
  }
}

/** JSON: an object, a list, or an object per line. */
function dataIn(text) {
  try {
    return [JSON.parse(text)].flat();
  } catch {
    return text
      .split("\n")
      .filter((line) => line.trim())
      .map((line) => JSON.parse(line));
  }
}

/** First words of lines in .non files that do not affect the clues. */
const IGNORED = /^(catalogue|copyright|licen[cs]e|width|height|goal|saved|source|id)\b/i;

/** Clues below the words rows and columns, one line each, with title and author as in .non. */
function cluesIn(text) {
  const data = { rows: [], columns: [] };
  let side = null;
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const words = line.trim();
    const heading = /^(rows|columns):?$/i.exec(words);
    const named = /^(title|by)\s+"?(.*?)"?$/i.exec(words);
    if (heading) side = data[heading[1].toLowerCase()];
    else if (named) data[named[1].toLowerCase() === "by" ? "author" : "title"] = named[2];
    else if (/^[\d\s,;]+$/.test(words) && side) side.push(numbersIn(words));
    else if (/^color\b/i.test(words))
      throw new AnswerError("UnsupportedError", `This .non file has colours. ${OTHERS}`);
    else if (side && words && !IGNORED.test(words)) {
      const shown = words.length > 40 ? `${words.slice(0, 37)}...` : words;
      throw new AnswerError("FormatError", `${JSON.stringify(shown)} is not a clue. ${OTHERS}`, {
        at: [at + 1, null],
      });
    }
  }
  if (!data.rows.length || !data.columns.length) throw new AnswerError("FormatError", OTHERS);
  return data;
}

const numbersIn = (words) =>
  words
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number)
    .filter((length) => length > 0);

/** A document in the form of the answer to `read`. */
function answerOf(doc) {
  const puzzle = dataOf(doc);
  const goal = doc.kind === "picture" ? toPicture(doc) : goalOf(puzzle);
  const ink = doc.palette.length === 1 ? "" : `, ${doc.palette.length} colours`;
  return {
    puzzle,
    goal,
    drawn: Boolean(goal),
    title: doc.title,
    size: `${doc.height} rows x ${doc.width} columns${ink}`,
  };
}

/** The picture that a puzzle holds, if its clues are those of the picture. */
function goalOf(puzzle) {
  if (!puzzle.goal || puzzle.given?.length) return null;
  try {
    const { rows, columns, ...rest } = puzzle;
    const drawn = documentOf({ ...rest, width: columns.length });
    const isSame = JSON.stringify(cluesOf(drawn)) === JSON.stringify(cluesOf(fromPuzzle(puzzle)));
    return isSame && rows ? toPicture(drawn) : null;
  } catch {
    return null;
  }
}

const INKS = ["#000000", "#1a1a1a"]; // keys that need no name
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** The library's JSON of a document. */
function dataOf(doc) {
  if (doc.kind === "puzzle") return doc.puzzle;
  const { keys, rowClues, columnClues } = puzzleOf(doc);
  const isPlain = keys.length === 1 && INKS.includes(doc.palette[0]);
  const clue = (blocks) =>
    blocks.map(({ length, colour }) => (isPlain ? length : [length, keys[colour - 1]]));
  const data = {
    width: doc.width,
    height: doc.height,
    rows: rowClues.map(clue),
    columns: columnClues.map(clue),
  };
  if (!isPlain) data.colors = Object.fromEntries(keys.map((key, at) => [key, doc.palette[at]]));
  if (doc.background !== "#ffffff") data.background = doc.background;
  data.goal = Array.from(doc.cells, (value) => DIGITS[value]).join("");
  if (doc.title) data.title = doc.title;
  if (doc.author) data.author = doc.author;
  return Object.assign(data, doc.about);
}

/** A file of a puzzle, as in the answer to `export`. */
export async function exported({ puzzle: sent, format }) {
  const doc = sent.picture ? fromPicture(sent, sent.title, sent.author) : fromPuzzle(sent.puzzle);
  const known = FORMATS.find(({ name }) => name === format);
  if (!known) throw new AnswerError("UnsupportedError", `this page does not write ${format}`);
  const write = {
    jsonl: async () => `${JSON.stringify(dataOf(doc))}\n`,
    non: async () => nonText(doc),
    share: async () => `${await shareText(doc)}\n`,
  };
  const blob = new Blob([await write[format]()], { type: "text/plain" });
  blob.name = fileNameOf(doc, known.suffix);
  blob.command = "";
  return blob;
}

function nonText(doc) {
  const { family, palette, rowClues, columnClues, given = [] } = puzzleOf(doc);
  const blocks = [...(rowClues ?? []), ...(columnClues ?? [])].flat();
  if (
    family !== "nonogram" ||
    palette.length > 1 ||
    given.length ||
    blocks.some(({ length }) => length === null)
  ) {
    throw new AnswerError(
      "UnsupportedError",
      "this page writes .non for puzzles in one colour without given cells; .jsonl holds everything",
    );
  }
  const lines = (clues) => clues.map((clue) => clue.map(({ length }) => length).join(",") || "0");
  const words = [
    ["title", doc.title],
    ["by", doc.author],
  ].filter(([, text]) => text);
  const head = words.map(([word, text]) => `${word} "${text.replaceAll('"', "'")}"`);
  const size = [`width ${doc.width}`, `height ${doc.height}`];
  return [
    ...head,
    ...size,
    "",
    "rows",
    ...lines(rowClues),
    "",
    "columns",
    ...lines(columnClues),
    "",
  ].join("\n");
}
