// A page that plays one puzzle without a server. Python puts the modules that it needs into one
// script (`nonosat/studio/bundling.py`); puzzle and explanation stand in the element "data".

import { createBoard } from "../board/index.js";
import { followTheme } from "../board/theme.js";
import { fromPuzzle } from "../state/document.js";
import { reduceCore } from "../state/reduce.js";
import { createStore } from "../state/store.js";
import { listenToShortcuts } from "../ui/keys.js";
import { createSay, createToasts } from "../ui/toast.js";
import { initial, mount, onBoard, onKey, reduce, scene } from "./index.js";
import { createStoryAnswers } from "./offline.js";
import { puzzleOf } from "./puzzle.js";

const element = (id) => document.getElementById(id);

/** Fills the page. */
function start() {
  const { puzzle, explanation } = JSON.parse(element("data").textContent);
  const doc = fromPuzzle(puzzle);
  const first = {
    mode: "none",
    doc,
    cursor: { row: 0, column: 0 },
    selection: null,
    play: initial(),
  };
  const store = createStore(first, (before, action) => {
    const state = reduceCore(before, action);
    const play = reduce(state.play, action, state);
    return play === state.play ? state : { ...state, play };
  });
  const answers = createStoryAnswers(puzzleOf(doc), explanation);
  const app = {
    store,
    answers,
    board: null,
    say: createSay(element("say")),
    toast: createToasts(element("toasts")),
  };
  app.board = createBoard(element("board"), { onEvent: (event) => heed(event, app) });
  mount(element("play"), app);
  followTheme();
  store.subscribe((state) => app.board.show(scene(state)));
  listenToShortcuts((event) => onKey(event, app));
  store.dispatch({ type: "mode", mode: "play" });
}

function heed(event, app) {
  if ((event.type === "cursor" || event.type === "down") && event.row >= 0 && event.column >= 0) {
    app.store.dispatch({ type: "cursor", row: event.row, column: event.column });
  }
  return onBoard(event, app);
}

start();
