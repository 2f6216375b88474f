// The mode "explain": the steps of the explanation, the reason of a cell, the difficulty.

import { toSent } from "../state/document.js";
import { isCalledOff } from "../answers/errors.js";
import { puzzleOf, shapeOf } from "../play/puzzle.js";
import { sceneOf } from "../play/scene.js";
import { followAddress } from "./address.js";
import { createPanel } from "./panel.js";
import { actionOfKey, initial, placeIn, reduce, storyOf } from "./model.js";
import { pricesAfter } from "./prices.js";
import { boardAfter, linesAfter, marksAfter, stepThatSettles } from "./steps.js";

export { initial, reduce };

let reasoning = new AbortController(); // the reason of a cell

/** Fill the panel; request the explanation when the mode is entered. */
export function mount(element, app) {
  let control = new AbortController();
  const stop = () => [control, reasoning].forEach((question) => question.abort());
  const panel = createPanel(element, app, { stop });
  const arrive = followAddress(app);
  app.store.subscribe((state, before) => {
    if (state.mode !== "explain" || shapeOf(state.doc) !== shapeOf(before.doc)) reasoning.abort();
    if (state.mode !== "explain") return void (before.mode === "explain" && control.abort());
    // Explain another puzzle at once; repeat a failed question on return.
    const isBack = before.mode !== "explain" && state.explain.status === "failed";
    if (state.doc && (isBack || state.explain.shape !== shapeOf(state.doc))) {
      control.abort();
      control = new AbortController();
      load(app, control.signal).then(arrive);
    }
    if (state.explain !== before.explain || state.mode !== before.mode) panel.show(app.store.get());
  });
}

async function load(app, signal) {
  const { doc } = app.store.get();
  const shape = shapeOf(doc);
  app.store.dispatch({ type: "explain/requested" });
  if (!isExplainable(doc)) {
    const message = "Only nonograms and Slitherlinks can be explained.";
    return app.store.dispatch({ type: "explain/failed", shape, message });
  }
  try {
    const found = await app.answers.query("explain", { puzzle: toSent(doc) }, { signal });
    app.store.dispatch({ type: "explain/found", shape, found });
  } catch (error) {
    const message = isCalledOff(error) ? "Stopped before the steps were known." : error.message;
    app.store.dispatch({ type: "explain/failed", shape, message });
  }
}

function isExplainable(doc) {
  return ["nonogram", "slitherlink"].includes(doc.family ?? "nonogram");
}

/** The content of the board: the puzzle after a number of steps. */
export function scene(state) {
  const { doc, explain } = state;
  const puzzle = puzzleOf(doc);
  const story = storyOf(explain) ?? NOTHING;
  const at = placeIn(explain);
  const known = boardAfter(puzzle, story, at);
  const marks = marksAfter(puzzle, story, at);
  const all = { marks, isNumbered: true };
  if (puzzle.family === "slitherlink") return sceneOf(state, known, all);
  const lines = linesAfter(story, at, explain.line);
  const prices = pricesAfter(puzzle, story, at, explain.line);
  return sceneOf(state, known, { ...all, lines, ...(prices && besidePrices(prices, known, puzzle)) });
}

const NOTHING = { steps: [], lines: [], clash: [], cell: null };

/** Draw the price of a cell in place of a cross. */
function besidePrices(prices, known, { width }) {
  const crosses = known.map((value) => (value === 0 ? 1 : 0));
  for (const { row, column } of prices.table) crosses[row * width + column] = 0;
  return { prices, crosses };
}

/**
 * Handle events of the board. Touching a cell requests the reason why it is forced; if no reason is
 * available, and for a Slitherlink, its step is shown. Pointing at a clue or a sum selects its line.
 */
export function onBoard(event, app) {
  const isKey = event.type === "key" && [" ", "Enter"].includes(event.key);
  if (event.type === "key" && !isKey) return onKey(event, app);
  if (["hover", "down"].includes(event.type) && event.row < 0 !== event.column < 0) {
    const line = event.column < 0 ? { row: event.row } : { column: event.column };
    app.store.dispatch({ type: "explain/line", line });
    return true;
  }
  if (!isKey && event.type !== "down") return false;
  if (app.store.get().doc.family === "slitherlink") {
    if (event.edge) showStep(event.edge, "edge", app);
  } else if (event.row >= 0 && event.column >= 0) why(event, app);
  return true;
}

/** Handle keys of steps; on the board R and C select the cursor's row and column. */
export function onKey(event, app) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.ctrl || event.alt) return false;
  const { row, column } = app.store.get().cursor;
  const line = { r: { row }, c: { column } }[event.key.toLowerCase()];
  if (line) app.store.dispatch({ type: "explain/line", line });
  if (line) return true;
  const names = { n: "ArrowRight", p: "ArrowLeft" };
  const action = actionOfKey(app.store.get().explain, names[event.key] ?? event.key);
  if (!action) return false;
  app.store.dispatch(action);
  return true;
}

function showStep(place, name, app) {
  const { doc, explain } = app.store.get();
  const story = storyOf(explain);
  if (!story) return;
  const at = stepThatSettles(puzzleOf(doc), story, place);
  if (at) app.store.dispatch({ type: "explain/at", at });
  else app.toast(`No step decides this ${name}.`);
}

async function why({ row, column }, app) {
  const { doc, explain } = app.store.get();
  if (!app.answers.can("reason")) return showStep([row, column], "cell", app);
  if (explain.isReasoning || explain.status === "loading") return;
  const shape = shapeOf(doc);
  reasoning = new AbortController();
  const { signal } = reasoning;
  app.store.dispatch({ type: "explain/why" });
  try {
    const found = await app.answers.query("reason", { puzzle: toSent(doc), row, column }, { signal });
    app.store.dispatch({ type: "explain/reason", shape, found: { ...found, cell: [row, column] } });
  } catch (error) {
    app.store.dispatch({ type: "explain/silent" });
    if (!isCalledOff(error)) app.toast(error.message, { error: true });
  }
}
