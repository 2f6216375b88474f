// A whole puzzle as a short text, `nonosat:1:` and letters; `nonosat/formats/share.py` defines its
// content. Created and read in the browser, without a server.

import { COLOUR_LETTERS } from "./colours.js";
import { dataOfClue } from "./clues.js";
import {
  aboutIn,
  blank,
  cluesOf,
  COLOURS,
  dataOfPuzzle,
  fromPuzzle,
  MAX_SIDE,
  PAPER,
} from "./document.js";
import { bytesOfText, textOfBytes } from "./pack.js";
import { checkData, checkStyle } from "./sound.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const TEXT = /nonosat(?::|%3a)(\d{1,9})(?::|%3a)([\w-]+)=*/i;
const MOST_BYTES = 16 * 2 ** 20;

/** The share text of a document. */
export async function shareText(doc) {
  const json = JSON.stringify(doc.kind === "picture" ? pictureData(doc) : dataOfPuzzle(doc));
  const packed = await through(
    new TextEncoder().encode(json),
    new CompressionStream("deflate-raw"),
  );
  return `nonosat:1:${textOfBytes(packed)}`;
}

function pictureData(doc) {
  const data = {};
  if (doc.title) data.title = doc.title;
  if (doc.author) data.author = doc.author;
  Object.assign(data, doc.about);
  data.width = doc.width;
  if (doc.palette.length > 1 || !["#000000", "#1a1a1a"].includes(doc.palette[0])) {
    data.colors = Object.fromEntries(
      doc.palette.map((colour, at) => [COLOUR_LETTERS[at], colour]),
    );
  }
  if (doc.background !== PAPER) data.background = doc.background;
  data.goal = Array.from(doc.cells, (value) => DIGITS[value]).join("");
  return data;
}

/** True if a text holds a shared puzzle. */
export const isShared = (text) => TEXT.test(text);

/** Number of different shared puzzles in a text. */
export const countShared = (text) =>
  new Set(Array.from(text.matchAll(new RegExp(TEXT, "gi")), ([, , packed]) => packed)).size;

/**
 * The document of a share text, or of an address that ends with one.
 *
 * @throws {Error} With a sentence that advises what to do.
 */
export async function sharedDocument(text) {
  const found = TEXT.exec(text);
  if (!found)
    throw new Error(
      "This text contains no puzzle. A shared puzzle begins with nonosat:1:; copy all of it.",
    );
  if (found[1] !== "1")
    throw new Error(
      `This puzzle was shared by a newer nonosat (version ${found[1]} of its text). Update ` +
        "nonosat, or open a file of the puzzle.",
    );
  let data;
  try {
    const json = await through(bytesOfText(found[2]), new DecompressionStream("deflate-raw"));
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json));
  } catch {
    throw new Error("The text is damaged. Copy all of it, from nonosat:1: to its last letter.");
  }
  return documentOf(data);
}

/**
 * The document of DATA that may omit the clues of its goal.
 *
 * @throws {Error} With a sentence that states the error.
 */
export function documentOf(data) {
  checkStyle(data);
  const isDrawn = (data.family ?? "nonogram") === "nonogram" && !data.rows && !data.columns;
  const doc = isDrawn ? drawnOf(data) : soundPuzzle(data);
  checkSize(doc.height, doc.width);
  return doc;
}

function checkSize(height, width) {
  if (height >= 1 && width >= 1 && height <= MAX_SIDE && width <= MAX_SIDE) return;
  throw new Error(
    `The puzzle has ${width} × ${height} cells, the studio has room for ${MAX_SIDE} × ${MAX_SIDE}.`,
  );
}

function cluesAsData(doc, keys) {
  const { rowClues, columnClues } = cluesOf(doc);
  const data = (clues) => clues.map((clue) => dataOfClue(clue, keys));
  const { height, width } = doc;
  return { height, width, rows: data(rowClues), columns: data(columnClues) };
}

function soundPuzzle(data) {
  checkData(data);
  return fromPuzzle(data);
}

/** A picture; a puzzle if there are given cells, which a picture cannot hold. */
function drawnOf(data) {
  const goal =
    typeof data.goal === "string"
      ? Array.from(data.goal, (digit) => DIGITS.indexOf(digit))
      : data.goal;
  const colours = Object.values(data.colors ?? {});
  const palette = colours.length ? colours : [COLOURS[0]];
  const isSound =
    Array.isArray(goal) &&
    Number.isInteger(data.width) &&
    data.width > 0 &&
    goal.length > 0 &&
    goal.length % data.width === 0 &&
    (data.height ?? goal.length / data.width) === goal.length / data.width &&
    goal.every((value) => Number.isInteger(value) && value >= 0 && value <= palette.length);
  if (!isSound) throw new Error("The text holds an incomplete picture. Copy the whole text again.");
  const height = goal.length / data.width;
  checkSize(height, data.width); // checked before so many cells are allocated
  const doc = blank(height, data.width, { palette, background: data.background ?? PAPER });
  doc.cells.set(goal);
  const hasGiven = data.given != null && data.given.length !== 0;
  const keys = Object.keys(data.colors ?? {});
  if (hasGiven) return soundPuzzle({ ...data, ...cluesAsData(doc, keys) });
  return { ...doc, title: data.title ?? "", author: data.author ?? "", about: aboutIn(data) };
}

/**
 * The document of a puzzle that was read: its picture if that is sufficient, else the puzzle.
 *
 * @param {object} puzzle DATA.
 * @param {object|null} picture The document of its goal.
 */
export function documentOfRead(puzzle, picture) {
  const doc = fromPuzzle(puzzle);
  if (!picture || puzzle.given?.length) return doc;
  const isSame = JSON.stringify(cluesOf(picture)) === JSON.stringify(cluesOf(doc));
  const { title, author, about } = doc;
  return isSame ? { ...picture, title, author, about } : doc;
}

/** Pass bytes through a stream; refuse more than 16 MiB. */
async function through(bytes, stream) {
  const writer = stream.writable.getWriter();
  const written = Promise.all([writer.write(bytes), writer.close()]);
  const pieces = [];
  let size = 0;
  const reader = stream.readable.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.length;
      if (size > MOST_BYTES) throw new Error("too large");
      pieces.push(value);
    }
    await written;
  } finally {
    written.catch(() => {}); // damaged data fails on both sides: one of them reports it
    reader.cancel().catch(() => {});
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
