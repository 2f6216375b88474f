// A board in a notebook's cell: a puzzle is played, an explanation stepped through, a result looked
// at. Python makes one script of the modules (`nonosat/studio/bundling.py`); what is shown stands in
// the element "data": { puzzle, explanation } and, of a result, { found: { sentence, rows, differing } }.

import { AnswerError } from "../answers/errors.js";
import { createBoard } from "../board/index.js";
import { followTheme } from "../board/theme.js";
import * as explain from "../explain/index.js";
import * as play from "../play/index.js";
import { createStoryAnswers } from "../play/offline.js";
import { puzzleOf } from "../play/puzzle.js";
import { fromPuzzle } from "../state/document.js";
import { reduceCore } from "../state/reduce.js";
import { createStore } from "../state/store.js";
import { listenToShortcuts } from "../ui/keys.js";
import { createSay, createToasts } from "../ui/toast.js";
import * as result from "./result.js";

const PARTS = { play, explain, result };
const element = (id) => document.getElementById(id);

/** Fills the cell. */
function start() {
  const data = JSON.parse(element("data").textContent);
  const { mode } = data;
  const part = PARTS[mode];
  const doc = fromPuzzle(data.puzzle);
  const first = { mode: "none", doc, cursor: { row: 0, column: 0 }, selection: null };
  const store = createStore({ ...first, [mode]: part.initial(data.found) }, (before, action) => {
    const state = reduceCore(before, action);
    const slice = part.reduce(state[mode], action, state);
    return slice === state[mode] ? state : { ...state, [mode]: slice };
  });
  const say = createSay(element("say"));
  const app = { store, answers: answersOf(doc, data), board: null, say, toast: createToasts(element("toasts")) };
  app.board = createBoard(element("board"), { onEvent: (event) => heed(event, part, app) });
  part.mount(element("panel"), app);
  followTheme();
  store.subscribe((state) => app.board.show(part.scene(state)));
  listenToShortcuts((event) => part.onKey?.(event, app));
  store.dispatch({ type: "mode", mode });
}

/** Hints and steps come from the explanation that the cell brought along. */
function answersOf(doc, { mode, explanation }) {
  const story = createStoryAnswers(puzzleOf(doc), explanation);
  if (mode !== "explain") return story;
  const can = (question) => (question === "explain" ? "" : story.can(question));
  const ask = async (question) => {
    if (can(question)) throw new AnswerError("UnsupportedError", can(question));
    return explanation;
  };
  return { ...story, can, ask };
}

function heed(event, part, app) {
  if ((event.type === "cursor" || event.type === "down") && event.row >= 0 && event.column >= 0) {
    app.store.dispatch({ type: "cursor", row: event.row, column: event.column });
  }
  return part.onBoard(event, app);
}

start();
