// Lines and cells in words, for screen readers and for the strip below the board.

import { namesOfPalette } from "../state/colours.js";

/** A clue in words: "3, 1", "3 red, 1 blue", "empty", "unknown". */
export function wordsOfClue(clue, palette) {
  if (!clue) return "unknown";
  if (clue.length === 0) return "empty";
  const names = palette.length > 1 ? namesOfPalette(palette) : null;
  const block = ({ length, colour, done }) => {
    const words = [length === null ? "unknown length" : String(length)];
    if (names) words.push(names[colour - 1] ?? "");
    if (done) words.push("done");
    return words.join(" ");
  };
  return clue.map(block).join(", ");
}

/** The value of a cell, in words. */
function wordsOfCell(scene, row, column) {
  const at = row * scene.width + column;
  const value = scene.cells[at];
  if (scene.crosses?.[at]) return "crossed out";
  if (value === 255) return "open";
  if (value === 0) return "empty";
  return scene.palette.length > 1 ? namesOfPalette(scene.palette)[value - 1] : "filled";
}

const MARKS = {
  disputed: "differs between solutions",
  change: "would change",
  mends: "its change leaves one solution",
  wrong: "wrong",
  settled: "just settled",
  protected: "protected",
  hint: "hint",
  assumed: "assumed",
  given: "given",
};

/** The marks of a cell, in words. */
function wordsOfMark({ kind, colour }) {
  if (kind === "tried") return colour ? "would be filled" : "would be empty";
  if (kind === "hint" && colour !== undefined) return colour ? "hint: filled" : "hint: empty";
  return MARKS[kind];
}

/** The prices of a cell, in words. */
function wordsOfPrices({ prices, palette }, row, column) {
  const names = palette.length > 1 ? namesOfPalette(palette) : null;
  return (prices?.table ?? [])
    .filter((entry) => entry.row === row && entry.column === column)
    .map(({ colour, price }) => `price ${price}${names ? ` if ${names[colour - 1]}` : ""}`);
}

/** A line's clue and marks, in words. */
function wordsOfLine(scene, name, at) {
  const clues = name === "row" ? scene.rowClues : scene.columnClues;
  const words = [`${name} clue ${wordsOfClue(clues[at], scene.palette)}`];
  const kinds = scene.lines.filter((line) => line[name] === at).map(({ kind }) => kind);
  if (kinds.includes("clash")) words.push("contradicts others");
  if (kinds.includes("more")) words.push("decides more");
  const sum = scene.prices?.sums.find((one) => one[name] === at);
  if (sum && name === "row") words.push(`can earn ${sum.amount} at most`);
  else if (sum) words.push(`has to pay ${sum.amount} at least`);
  return words.join(", ");
}

/** The cell at a place with its marks and both clues. */
export function describeCell(scene, row, column) {
  const words = [`Row ${row + 1}, column ${column + 1}: ${wordsOfCell(scene, row, column)}`];
  for (const mark of scene.marks) {
    if (mark.row === row && mark.column === column && wordsOfMark(mark))
      words.push(wordsOfMark(mark));
  }
  words.push(...wordsOfPrices(scene, row, column));
  const lines = [wordsOfLine(scene, "row", row), wordsOfLine(scene, "column", column)];
  return `${words.join(", ")}. ${lines.join("; ")}.`;
}
