// The strip below the board: the complete clues of the lines at the pointer or the cursor, legible
// for boards of any size.

import { textOfClue } from "../state/clues.js";
import { wordsOfClue } from "../board/words.js";
import { fill, h } from "./dom.js";

/** `show(scene, row, column)`; -1 leaves a line out. */
export function createReadout(element) {
  let shown = "";
  return (scene, row, column) => {
    const isThere = scene && scene.rowClues?.length;
    const parts = scene?.dragged > 1 ? [[`${scene.dragged} cells`, ""]] : [];
    if (isThere && row >= 0 && scene.rowClues[row] !== undefined)
      parts.push([`Row ${row + 1}`, clueText(scene.rowClues[row], scene)]);
    if (isThere && column >= 0 && scene.columnClues[column] !== undefined)
      parts.push([`Column ${column + 1}`, clueText(scene.columnClues[column], scene)]);
    const key = parts.join(" ");
    if (key === shown) return;
    shown = key;
    fill(
      element,
      parts.map(([name, clue]) => h("span.readout-line", {}, h("b", {}, name), " ", clue)),
    );
  };
}

function clueText(clue, { palette }) {
  if (!clue) return "unknown";
  return palette.length > 1
    ? wordsOfClue(
        clue.map(({ length, colour }) => ({ length, colour })),
        palette,
      )
    : textOfClue(clue);
}
