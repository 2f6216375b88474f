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

/** What stands in a cell, in words. */
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
  wrong: "wrong",
  settled: "just settled",
  protected: "protected",
  hint: "hint",
  given: "given",
};

/** The cell at a place with its marks and both clues. */
export function describeCell(scene, row, column) {
  const words = [`Row ${row + 1}, column ${column + 1}: ${wordsOfCell(scene, row, column)}`];
  for (const mark of scene.marks) {
    if (mark.row === row && mark.column === column && MARKS[mark.kind])
      words.push(MARKS[mark.kind]);
  }
  const clues = [
    `row clue ${wordsOfClue(scene.rowClues[row], scene.palette)}`,
    `column clue ${wordsOfClue(scene.columnClues[column], scene.palette)}`,
  ];
  return `${words.join(", ")}. ${clues.join("; ")}.`;
}
