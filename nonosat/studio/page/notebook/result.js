// A result on the board: its first solution, and the cells that differ in others.

import { edgesAroundInside } from "../board/lattice.js";
import { cellsOf, puzzleOf } from "../play/puzzle.js";
import { sceneOf } from "../play/scene.js";
import { h } from "../ui/dom.js";

/** The slice `{ sentence, rows, differing, legend }` of a result; `rows` is null without a
 * solution.
 */
export function initial(found) {
  return found;
}

/** Return the slice: a result does not change. */
export function reduce(slice) {
  return slice;
}

/** Fill the panel with the sentence. */
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

/** Ignore all events. */
export function onBoard() {
  return false;
}
