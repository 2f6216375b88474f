// A result on the board: its first solution, and the cells that differ in others.

import { edgesAroundInside, rowsOfEdges } from "../board/lattice.js";
import { cellsOf, puzzleOf } from "../play/puzzle.js";
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

/** What the board shows. */
export function scene(state) {
  const { doc, result } = state;
  const puzzle = puzzleOf(doc);
  const { family, height, width, palette, background, rowClues, columnClues, clues } = puzzle;
  const shared = { family, height, width, palette, background, cursor: state.cursor, selection: null, label: null, lines: [], heat: null };
  const marks = result.differing.map(markOf);
  if (family === "slitherlink") {
    const edges = result.rows ? rowsOfEdges(edgesAroundInside(result.rows, height, width), height, width) : null;
    return { ...shared, clues, edges, marks };
  }
  const cells = result.rows ? cellsOf(result.rows, puzzle, result.legend) : new Uint8Array(height * width).fill(255);
  return { ...shared, cells, crosses: null, rowClues: rowClues ?? [], columnClues: columnClues ?? [], marks };
}

function markOf(place) {
  if (place.length === 4) return { edge: place, kind: "disputed" };
  return { row: place[0], column: place[1], kind: "disputed" };
}

/** Nothing happens on a touch. */
export function onBoard() {
  return false;
}
