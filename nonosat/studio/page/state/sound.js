// Validation of received DATA: the properties that the page relies on are checked once, when a text
// is read. The Python library checks the same and more (`formats/_json_nonogram.py`).

import { MAX_COLOURS, MAX_SIDE } from "./document.js";

const MOST_LENGTH = 999_999_999; // of a block, as in the library
const RGB = /^#[0-9a-f]{6}$/i;

/**
 * Refuse data that are not a puzzle.
 *
 * @param {unknown} data Parsed JSON; a nonogram has its clues.
 * @throws {Error} With a sentence that states the error; lines are counted from 1.
 */
export function checkData(data) {
  checkStyle(data);
  const refusal = refusalOfFamily(data);
  expect(!refusal, refusal);
  if ((data.family ?? "nonogram") === "nonogram") checkNonogram(data);
  else checkLoop(data);
}

/** Refuse data that cannot be shown, of any family, with or without clues. */
export function checkStyle(data) {
  expect(isObject(data), "This is not a puzzle: expected an object with rows and columns.");
  for (const name of ["family", "title", "author"]) {
    const value = data[name] ?? "";
    expect(typeof value === "string", `The ${name} of this puzzle is not text.`);
  }
  expect(
    data.background == null || isRgb(data.background),
    "The background of this puzzle is not a colour such as #ffffff.",
  );
  if (data.colors == null) return;
  const colours = isObject(data.colors) ? Object.entries(data.colors) : [];
  expect(
    colours.length >= 1,
    "The colours of this puzzle are not a list of names with a colour each.",
  );
  checkColours(colours.length);
  for (const [key, rgb] of colours) {
    expect(key && isRgb(rgb), `The colour ${shown(key)} of this puzzle is not written as #c8372d.`);
  }
}

/**
 * The reason why the studio cannot show a puzzle, in a sentence; "" if it can.
 *
 * @param {object} data DATA that the library has read, so it is valid.
 */
export function refusalOfPuzzle(data) {
  try {
    checkColours(Object.keys(data.colors ?? {}).length);
    return refusalOfFamily(data);
  } catch (error) {
    return error.message;
  }
}

function refusalOfFamily({ family = "nonogram" }) {
  if (["nonogram", "slitherlink"].includes(family)) return "";
  return (
    `This is a puzzle of the family ${shown(family)}. The studio draws, plays and explains ` +
    "nonograms and Slitherlinks; the command line of nonosat solves and draws this one."
  );
}

function checkColours(count) {
  expect(
    count <= MAX_COLOURS,
    `This puzzle has ${count} colours, the studio has room for ${MAX_COLOURS}; the commands of ` +
      "nonosat take it.",
  );
}

function checkNonogram(data) {
  const keys = Object.keys(data.colors ?? {});
  for (const [name, one, size] of [
    ["rows", "Row", "height"],
    ["columns", "Column", "width"],
  ]) {
    const clues = data[name];
    expect(Array.isArray(clues), `This puzzle has no list of ${name}.`);
    checkSide(clues.length, name);
    expect(
      (data[size] ?? clues.length) === clues.length,
      `This puzzle has ${clues.length} clues of ${name}, but its ${size} is ${shown(data[size])}.`,
    );
    clues.forEach((clue, at) => checkClue(clue, keys, `${one} ${at + 1}`));
  }
  checkCells(data, keys);
}

function checkSide(count, name) {
  expect(
    count >= 1 && count <= MAX_SIDE,
    `This puzzle has ${count} ${name}, the studio has room for 1 to ${MAX_SIDE}.`,
  );
}

function checkClue(clue, keys, line) {
  expect(
    Array.isArray(clue),
    `${line} has the clue ${shown(clue)}, expected a list of lengths such as [3, 1].`,
  );
  if (clue.length === 1 && clue[0] === 0) return; // many programs write an empty clue so
  for (const block of clue) {
    const isNamed = Array.isArray(block);
    const isKnown = isNamed ? block.length === 2 && keys.includes(block[1]) : keys.length < 2;
    expect(isKnown, `${line} has the block ${shown(block)} without a colour of the puzzle.`);
    const length = isNamed ? block[0] : block;
    expect(
      length === null || isWithin(length, 1, MOST_LENGTH),
      `${line} has a block of length ${shown(length)}, expected 1 or more.`,
    );
  }
}

/** Check given cells and the goal. */
function checkCells({ rows, columns, given, goal }, keys) {
  expect(given == null || Array.isArray(given), "The given cells of this puzzle are not a list.");
  for (const cell of given ?? []) {
    const [row, column, what] = Array.isArray(cell) && cell.length === 3 ? cell : [];
    const isColour = what === 0 || (keys.length ? keys.includes(what) : what === 1);
    expect(
      isColour && isWithin(row, 0, rows.length - 1) && isWithin(column, 0, columns.length - 1),
      `The given cell ${shown(cell)} is not on the board, or has no colour of the puzzle.`,
    );
  }
  if (goal == null) return;
  expect(
    (typeof goal === "string" || Array.isArray(goal)) &&
      goal.length === rows.length * columns.length,
    `The goal of this puzzle is not a picture of ${columns.length} × ${rows.length} cells.`,
  );
}

function checkLoop({ rows }) {
  expect(
    Array.isArray(rows) && rows.every((row) => typeof row === "string"),
    "This Slitherlink has no list of rows of characters.",
  );
  checkSide(rows.length, "rows");
  checkSide(Math.max(...rows.map((row) => row.length)), "columns");
}

function expect(isSound, sentence) {
  if (!isSound) throw new Error(sentence);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isRgb = (value) => typeof value === "string" && RGB.test(value);
const isWithin = (value, least, most) =>
  Number.isInteger(value) && value >= least && value <= most;

/** A value in a sentence, truncated if it is long. */
function shown(value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
