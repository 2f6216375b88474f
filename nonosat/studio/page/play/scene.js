// The scene of a puzzle with a partly known solution: of a game, an explanation, a result.

import { rowsOfEdges } from "../board/lattice.js";
import { crossedOff } from "./clues.js";
import { puzzleOf } from "./puzzle.js";

/**
 * A scene.
 *
 * @param {object} state Its `doc` and `cursor` are shown.
 * @param {Uint8Array|null} known A value a cell, or an edge of a Slitherlink; 255 is unknown.
 * Null:
 *   nothing is known.
 * @param {object} more Further properties of the scene, or replaced ones.
 */
export function sceneOf({ doc, cursor }, known, more) {
  const puzzle = puzzleOf(doc);
  const { family, height, width, palette, background } = puzzle;
  const all = {
    ...{ family, height, width, palette, background, cursor },
    ...{ selection: null, label: null, marks: [], lines: [], heat: null },
  };
  if (family === "slitherlink") {
    const edges = known && rowsOfEdges(known, height, width);
    return { ...all, clues: puzzle.clues, edges, ...more };
  }
  const cells = known ?? new Uint8Array(height * width).fill(255);
  return {
    ...all,
    cells,
    crosses: cells.map((value) => (value === 0 ? 1 : 0)),
    ...(family === "nonogram" ? crossedOff(puzzle, cells) : { rowClues: [], columnClues: [] }),
    ...more,
  };
}
