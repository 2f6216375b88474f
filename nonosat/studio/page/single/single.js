// A page that shows one puzzle without a server. Of a page of one file Python bundles the modules
// into one script (`nonosat/studio/bundling.py`); the data are in the element "data".

import { createBoard } from "../board/index.js";
import { followTheme } from "../board/theme.js";
import { fromPuzzle } from "../state/document.js";
import { reducePlace } from "../state/place.js";
import { createStore } from "../state/store.js";
import { listenToShortcuts } from "../ui/keys.js";
import { createReadout } from "../ui/readout.js";
import { createAnnouncer, createToasts } from "../ui/toast.js";
import { mountZoom } from "../ui/zoom.js";

const element = (id) => document.getElementById(id);

/**
 * Fill the page with a part of the studio that owns a mode.
 *
 * @param {string} mode Its name.
 * @param {object} part As `play` and `explain` are.
 * @param {object} data `puzzle` is DATA, or `doc` a document; `found`, if present, initialises the
 *   part's slice.
 * @param {(doc: object) => object} answersOf The answers that are available to the part.
 * @returns {object} The page as parts see it.
 */
export function startSingle(mode, part, { puzzle, found, doc = fromPuzzle(puzzle) }, answersOf) {
  const first = { mode: "none", doc, cursor: { row: 0, column: 0 }, selection: null };
  const store = createStore({ ...first, [mode]: part.initial(found) }, (before, action) => {
    const state = reducePlace(before, action);
    const slice = part.reduce(state[mode], action, state);
    return slice === state[mode] ? state : { ...state, [mode]: slice };
  });
  const announce = createAnnouncer(element("announcer"));
  const toast = createToasts(element("toasts"));
  const app = { store, answers: answersOf(doc), board: null, announce, toast };
  app.board = createBoard(element("board"), { onEvent: (event) => heed(event, part, app) });
  mountZoom(element("zoom"), app);
  part.mount(element("panel"), app);
  followTheme();
  showAlways(part, app);
  listenToShortcuts((event) => part.onKey?.(event, app));
  store.dispatch({ type: "mode", mode });
  return app;
}

/** The content of the element "data". */
export const dataOfPage = () => JSON.parse(element("data").textContent);

/** Redraw the board after changes of the state, once a frame, and the strip below it. */
function showAlways(part, app) {
  const showReadout = createReadout(element("readout"));
  let scene = null;
  let frame = 0;
  let place = { row: -1, column: -1 };
  const show = () => {
    frame = 0;
    scene = part.scene(app.store.get());
    app.board.show(scene);
    showReadout(scene, place.row, place.column);
  };
  app.store.subscribe(() => {
    frame ||= requestAnimationFrame(show);
  });
  app.readout = ({ type, row, column }) => {
    if (type === "key") return;
    place = { row, column };
    showReadout(scene, row, column);
  };
}

function heed(event, part, app) {
  app.readout(event);
  if ((event.type === "cursor" || event.type === "down") && event.row >= 0 && event.column >= 0) {
    app.store.dispatch({ type: "cursor", row: event.row, column: event.column });
  }
  return part.onBoard(event, app);
}
