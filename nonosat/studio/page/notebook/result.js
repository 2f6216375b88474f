// A result on the board: its first solution, and the cells that differ in others.

import { edgesAroundInside } from "../board/lattice.js";
import { cellsOf, puzzleOf } from "../play/puzzle.js";
import { sceneOf } from "../play/scene.js";
import { h } from "../ui/dom.js";

/** The slice: what was found, `{ sentence, rows, differing, legend }`; `rows` null without any. */
export function initial(found) {
  return found;
}

/** A result does not change. */
export function reduce(slice) {
  return slice;
}

/** Fills the panel with the sentence. */
export function mount(element, app) {
  const { sentence } = app.store.get().result;
  element.replaceChildren(h("p", {}, sentence));
}

/** The content of the board. */
export function scene(state) {
  const { doc, result } = state;
  const puzzle = puzzleOf(doc);
  const marks = result.differing.map(markOf);
  if (puzzle.family === "slitherlink") {
    const { height, width } = puzzle;
    const edges = result.rows && edgesAroundInside(result.rows, height, width);
    return sceneOf(state, edges, { marks });
  }
  const cells = result.rows && cellsOf(result.rows, puzzle, result.legend);
  const { rowClues = [], columnClues = [] } = puzzle;
  return sceneOf(state, cells, { marks, crosses: null, rowClues, columnClues });
}

function markOf(place) {
  if (place.length === 4) return { edge: place, kind: "disputed" };
  return { row: place[0], column: place[1], kind: "disputed" };
}

/** Nothing happens on a touch. */
export function onBoard() {
  return false;
}
