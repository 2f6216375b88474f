// The mode "explain": steps through the explanation, why a cell is forced, how hard the puzzle is.

import { toSent } from "../state/document.js";
import { isCalledOff } from "../answers/errors.js";
import { puzzleOf, shapeOf } from "../play/puzzle.js";
import { sceneOf } from "../play/scene.js";
import { createPanel } from "./panel.js";
import { actionOfKey, initial, placeIn, reduce, storyOf } from "./model.js";
import { boardAfter, heatAfter, linesAfter, marksAfter, stepThatSettles } from "./steps.js";

export { initial, reduce };

let asking = new AbortController(); // why a cell is forced

/** Fills the panel; asks for the explanation when the mode is entered. */
export function mount(element, app) {
  let control = new AbortController();
  const panel = createPanel(element, app, { stop: () => control.abort() });
  app.store.subscribe((state, before) => {
    if (state.mode !== "explain" || shapeOf(state.doc) !== shapeOf(before.doc)) asking.abort();
    if (state.mode !== "explain") return void (before.mode === "explain" && control.abort());
    // Another puzzle is explained at once, a failed question asked again on coming back.
    const isBack = before.mode !== "explain" && state.explain.status === "failed";
    if (state.doc && (isBack || state.explain.shape !== shapeOf(state.doc))) {
      control.abort();
      control = new AbortController();
      ask(app, control.signal);
    }
    if (state.explain !== before.explain || state.mode !== before.mode) panel.show(app.store.get());
  });
}

async function ask(app, signal) {
  const { doc } = app.store.get();
  const shape = shapeOf(doc);
  app.store.dispatch({ type: "explain/asked" });
  const cannot =
    app.answers.can("explain") ||
    (canBeTold(doc) ? "" : "There are steps for nonograms and Slitherlinks alone.");
  if (cannot) return app.store.dispatch({ type: "explain/failed", shape, message: cannot });
  try {
    const found = await app.answers.ask("explain", { puzzle: toSent(doc) }, { signal });
    app.store.dispatch({ type: "explain/found", shape, found });
  } catch (error) {
    const message = isCalledOff(error) ? "Stopped before the steps were known." : error.message;
    app.store.dispatch({ type: "explain/failed", shape, message });
  }
}

function canBeTold(doc) {
  return ["nonogram", "slitherlink"].includes(doc.family ?? "nonogram");
}

/** What the board shows: the puzzle after so many steps. */
export function scene(state) {
  const { doc, explain } = state;
  const puzzle = puzzleOf(doc);
  const story = storyOf(explain) ?? { steps: [], lines: [], cell: null };
  const at = placeIn(explain);
  const ofLines = puzzle.family !== "slitherlink" && {
    lines: linesAfter(story, at),
    heat: heatAfter(puzzle, story, at),
    heatWords: ["low price", "high price"],
  };
  const marks = marksAfter(puzzle, story, at);
  return sceneOf(state, boardAfter(puzzle, story, at), { marks, ...ofLines });
}

/** A cell that is touched asks why it is forced; of a Slitherlink an edge shows its step. */
export function onBoard(event, app) {
  const isKey = event.type === "key" && [" ", "Enter"].includes(event.key);
  if (event.type === "key" && !isKey) return onKey(event, app);
  if (!isKey && event.type !== "down") return false;
  if (app.store.get().doc.family === "slitherlink") showEdge(event, app);
  else if (event.row >= 0 && event.column >= 0) why(event, app);
  return true;
}

/** Keys that step. */
export function onKey(event, app) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.ctrl || event.alt) return false;
  const names = { n: "ArrowRight", p: "ArrowLeft" };
  const action = actionOfKey(app.store.get().explain, names[event.key] ?? event.key);
  if (!action) return false;
  app.store.dispatch(action);
  return true;
}

function showEdge({ edge }, app) {
  const { doc, explain } = app.store.get();
  const story = storyOf(explain);
  if (!edge || !story) return;
  const at = stepThatSettles(puzzleOf(doc), story, edge);
  if (at) app.store.dispatch({ type: "explain/at", at });
  else app.toast("No step settles this edge.");
}

async function why({ row, column }, app) {
  const { doc, explain } = app.store.get();
  const cannot = app.answers.can("reason");
  if (cannot) return app.toast(cannot);
  if (explain.isAsking || explain.status === "asking") return;
  const shape = shapeOf(doc);
  asking = new AbortController();
  const { signal } = asking;
  app.store.dispatch({ type: "explain/why" });
  try {
    const found = await app.answers.ask("reason", { puzzle: toSent(doc), row, column }, { signal });
    app.store.dispatch({ type: "explain/reason", shape, found: { ...found, cell: [row, column] } });
  } catch (error) {
    app.store.dispatch({ type: "explain/silent" });
    if (!isCalledOff(error)) app.toast(error.message, { error: true });
  }
}
