// A page of one file that shows one puzzle without a server. Python puts the modules that it needs
// into one script (`nonosat/studio/bundling.py`); what is shown stands in the element "data".

import { createBoard } from "../board/index.js";
import { followTheme } from "../board/theme.js";
import { fromPuzzle } from "../state/document.js";
import { reduceCore } from "../state/reduce.js";
import { createStore } from "../state/store.js";
import { listenToShortcuts } from "../ui/keys.js";
import { createSay, createToasts } from "../ui/toast.js";

const element = (id) => document.getElementById(id);

/**
 * Fills the page with a part of the studio that owns a mode.
 *
 * @param {string} mode Its name.
 * @param {object} part As `play` and `explain` are.
 * @param {object} data `puzzle` is DATA; `found`, where there is one, begins the part's slice.
 * @param {(doc: object) => object} answersOf What the part may ask.
 */
export function startSingle(mode, part, { puzzle, found }, answersOf) {
  const doc = fromPuzzle(puzzle);
  const first = { mode: "none", doc, cursor: { row: 0, column: 0 }, selection: null };
  const store = createStore({ ...first, [mode]: part.initial(found) }, (before, action) => {
    const state = reduceCore(before, action);
    const slice = part.reduce(state[mode], action, state);
    return slice === state[mode] ? state : { ...state, [mode]: slice };
  });
  const say = createSay(element("say"));
  const toast = createToasts(element("toasts"));
  const app = { store, answers: answersOf(doc), board: null, say, toast };
  app.board = createBoard(element("board"), { onEvent: (event) => heed(event, part, app) });
  part.mount(element("panel"), app);
  followTheme();
  store.subscribe((state) => app.board.show(part.scene(state)));
  listenToShortcuts((event) => part.onKey?.(event, app));
  store.dispatch({ type: "mode", mode });
}

/** What the element "data" holds. */
export const dataOfPage = () => JSON.parse(element("data").textContent);

function heed(event, part, app) {
  if ((event.type === "cursor" || event.type === "down") && event.row >= 0 && event.column >= 0) {
    app.store.dispatch({ type: "cursor", row: event.row, column: event.column });
  }
  return part.onBoard(event, app);
}
