// The buttons that zoom a board.

import { button } from "./dom.js";

/** Fill an element with them. */
export function mountZoom(element, app) {
  const zoom = (label, icon, keys, run) =>
    button(label, run, { icon, keys, class: "small quiet" });
  element.append(
    zoom("Zoom out", "minus", "-", () => app.board.zoom(1 / 1.25)),
    zoom("Show all of the board", "fit", "Z", () => app.board.fit()),
    zoom("Zoom in", "plus", "+", () => app.board.zoom(1.25)),
  );
}
