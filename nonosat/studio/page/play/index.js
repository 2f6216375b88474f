// The mode "play": a game with mouse, touch and keyboard, with hints that are never wrong.

import { toSent } from "../state/document.js";
import { createHold, newKey } from "../state/hold.js";
import { isCalledOff } from "../answers/errors.js";
import { advancing } from "./clues.js";
import { edgeAt, rowsOfEdges } from "../board/lattice.js";
import { firstMarks, initial, reduce, whereIs } from "./model.js";
import { createPanel, textOfHint } from "./panel.js";
import { createKeeper } from "./keeper.js";
import { createOptions } from "./options.js";
import { browserStorage, createProgress } from "./progress.js";
import { nameOf, puzzleOf, rowsOf, shapeOf, whyUnplayable } from "./puzzle.js";
import { sceneOf } from "./scene.js";
import { cycled, pressed } from "./strokes.js";

export { initial, reduce };

const SAVE_MS = 400;
const CHECK_MS = 150;
const RIGHT = 2;
let pending = new AbortController(); // of a hint, or of a check

/** Fill the panel; store progress and time. */
export function mount(element, app) {
  const progress = createProgress(browserStorage("localStorage"), () => Date.now());
  const keeper = keeperOfTab(progress);
  const options = createOptions(browserStorage("localStorage"));
  const panel = createPanel(element, app, {
    hint: () => hint(app),
    check: () => check(app),
    apply: () => apply(app),
    stop: () => pending.abort(),
  });
  const keep = keepLater(app, keeper);
  const checkLater = createChecks(app);
  app.store.subscribe((state, before) => {
    if (state.play !== before.play) keep(state.play, before.play);
    if (state.play !== before.play || state.mode !== before.mode) checkLater(state, before);
    if (state.play.options !== before.play.options && state.play.marks && before.play.marks)
      options.save(state.play.options);
    if (state.play.isSolved && state.play.marks !== before.play.marks)
      progress.saveSolution(state.play.name, state.play.marks);
    // The user continues, or leaves, without waiting for the answer.
    if (state.mode !== "play" || state.play.marks !== before.play.marks) pending.abort();
    if (state.mode === "play" && state.doc && state.play.shape !== shapeOf(state.doc))
      begin(app, keeper, options.load());
    if (state.mode === "play" && (state.play !== before.play || state.mode !== before.mode))
      panel.show(app.store.get());
    const isSame = before.play.name === state.play.name && before.play.marks;
    if (isSame && state.play.isSolved && !before.play.isSolved)
      app.announce("Solved.");
  });
  setInterval(() => {
    if (app.store.get().mode === "play" && !document.hidden)
      app.store.dispatch({ type: "play/tick" });
  }, 1000);
}

/** Check the marks shortly after each move, if the player has chosen so. */
function createChecks(app) {
  let checking = new AbortController();
  const judge = async (marks) => {
    const { signal } = (checking = new AbortController());
    try {
      const found = await askHint(app, signal);
      if (signal.aborted) return;
      app.store.dispatch({ type: "play/mistaken", found, marks });
      if (found.wrong.length) app.announce(found.sentence);
    } catch {
      // Cancelled, or the limit was reached: nothing is known to be wrong.
    }
  };
  let timer = 0;
  return ({ mode, play, doc }, { play: before }) => {
    const { marks, options, isSolved, isBegun, stroke } = play;
    if (marks === before.marks && options === before.options && stroke === before.stroke) return;
    clearTimeout(timer);
    checking.abort();
    const isOn = options.mistakes && mode === "play" && isBegun && !isSolved && !stroke;
    if (isOn && app.answers.can("hint", doc.family)) timer = setTimeout(judge, CHECK_MS, marks);
  };
}

function keeperOfTab(progress) {
  const hold = createHold(navigator.locks, "nonosat-play/");
  return createKeeper(progress, hold, browserStorage("sessionStorage"), newKey);
}

/** Store the game shortly after each change, and at once when it ends or the page is left. */
function keepLater(app, keeper) {
  let saving = 0;
  const save = ({ name, marks, seconds, past }) => {
    clearTimeout(saving);
    keeper.save(name, { marks, seconds, past });
  };
  const saveBegun = (game) => game.isBegun && save(game);
  const saveNow = () => saveBegun(app.store.get().play);
  document.addEventListener("visibilitychange", () => document.hidden && saveNow());
  addEventListener("pagehide", saveNow);
  return (game, before) => {
    if (game.name !== before.name) saveBegun(before); // another puzzle is open now
    else if (before.isBegun && !game.isBegun) save(game); // a new start, which can be undone
    if (game.marks !== before.marks && game.isBegun && !game.stroke) {
      clearTimeout(saving);
      saving = setTimeout(saveNow, SAVE_MS);
    }
  };
}

function begin(app, keeper, options) {
  const puzzle = puzzleOf(app.store.get().doc);
  const name = nameOf(puzzle);
  app.store.dispatch({ type: "play/begin", name, kept: keeper.begin(name), options });
}

/** The content of the board: the marks, crossed-off clues, a hint, requested mistakes. */
export function scene(state) {
  const { doc, play } = state;
  const puzzle = puzzleOf(doc);
  if (play.shape !== shapeOf(doc)) return sceneOf(state, firstMarks(puzzle), {});
  const { marks, isSolved, stroke, options } = play;
  const shown = {
    ...marksOf(play, puzzle),
    isNumbered: options.numbers,
    dragged: puzzle.family === "slitherlink" ? 0 : (stroke?.places.length ?? 0), // cells
  };
  if (!isSolved) return sceneOf(state, marks, shown);
  // Show a solved picture without crosses, and of a solved loop only the path.
  const bare =
    puzzle.family === "slitherlink"
      ? marks.map((value) => (value === 1 ? 1 : 255))
      : marks.map((value) => (value === 255 ? 0 : value));
  return sceneOf(state, bare, { ...shown, crosses: null });
}

function marksOf({ hint: shown, wrong, isSolved, options, marks: now }, puzzle) {
  const marks = isSolved
    ? []
    : (puzzle.given ?? []).map(([row, column]) => ({ row, column, kind: "given" }));
  const lines = [];
  if (options.advance && !isSolved && puzzle.family === "nonogram")
    for (const line of advancing(puzzle, now)) lines.push({ ...line, kind: "more" });
  for (const line of shown?.lines ?? []) lines.push({ ...line, kind: "lit" });
  if (shown?.hasCells) {
    for (const cell of shown.step.cells ?? [])
      marks.push({ row: cell[0], column: cell[1], kind: "lit" });
    for (const edge of shown.step.edges ?? []) marks.push({ edge, kind: "lit" });
    for (const corner of shown.step.corners ?? []) marks.push({ corner, kind: "lit" });
    for (const { place, value: colour } of shown.todo)
      marks.push({ ...whereIs(place, puzzle), kind: "hint", colour });
  }
  for (const { place } of wrong) marks.push({ ...whereIs(place, puzzle), kind: "wrong" });
  const [first] = shown?.todo ?? [];
  return { marks, lines, inView: first ? whereIs(first.place, puzzle) : null };
}

/** The place of an event: a cell's or an edge's number; -1 for none. */
function placeOf({ row, column, edge }, { family, height, width }) {
  if (family === "slitherlink") return edge ? edgeAt(height, width, edge) : -1;
  return row >= 0 && column >= 0 && row < height && column < width ? row * width + column : -1;
}

/** Handle events of the board. */
export function onBoard(event, app) {
  const { play, doc } = app.store.get();
  if (!play.marks || whyUnplayable(puzzleOf(doc))) return false;
  if (event.type === "key") return onMarkKey(event, app);
  const place = placeOf(event, puzzleOf(doc));
  if (event.type === "down" && place >= 0)
    app.store.dispatch({ type: "play/down", place, to: wishOf(event, play, puzzleOf(doc), place) });
  else if (event.type === "move" && place >= 0) app.store.dispatch({ type: "play/over", place });
  else if (event.type === "up" || event.type === "cancel")
    app.store.dispatch({ type: `play/${event.type}` });
  else return false;
  return true;
}

/** Apply a press on a place: the left button has the selected tool, the right one the other. */
function wishOf({ button, pointer, shift, ctrl }, play, { family }, place) {
  const isOther = button === RIGHT || shift || ctrl;
  const isCross = (play.tool === "cross") !== isOther;
  const now = play.marks[place];
  if (family === "slitherlink") {
    const isCycle = play.tool === "fill" && !isOther && pointer !== "pen";
    return isCycle ? cycled(now) : pressed(now, isCross ? 0 : 1);
  }
  return pressed(now, isCross ? 0 : play.colour);
}

/** Handle keys on the board: space fills, x crosses, Delete opens, digits select a colour and fill.
 */
function onMarkKey(event, app) {
  if (onKey(event, app)) return true;
  const { play, doc } = app.store.get();
  const puzzle = puzzleOf(doc);
  const place = placeOf(event, puzzle);
  if (place < 0 || event.ctrl || event.alt) return false;
  const now = play.marks[place];
  const isLoop = puzzle.family === "slitherlink";
  const digit =
    /^[1-9]$/.test(event.key) && Number(event.key) <= puzzle.palette.length ? Number(event.key) : 0;
  if (digit && !isLoop) app.store.dispatch({ type: "play/colour", colour: digit });
  const wish =
    {
      " ": isLoop ? cycled(now) : pressed(now, play.colour),
      Enter: isLoop ? cycled(now) : pressed(now, play.colour),
      x: pressed(now, 0),
      X: pressed(now, 0),
      Delete: 255,
      Backspace: 255,
    }[event.key] ?? (digit && !isLoop ? pressed(now, digit) : undefined);
  if (wish === undefined) return false;
  app.store.dispatch({ type: "play/set", places: [place], to: wish });
  return true;
}

/** Handle keys that do not depend on the focus: undo, redo, hint, check. */
export function onKey(event, app) {
  const ctrl = event.ctrlKey || event.metaKey || event.ctrl;
  const key = event.key.toLowerCase();
  const shift = event.shiftKey || event.shift;
  if (ctrl && key === "z") app.store.dispatch({ type: shift ? "play/redo" : "play/undo" });
  else if (ctrl && key === "y") app.store.dispatch({ type: "play/redo" });
  else if (!ctrl && key === "h") hint(app);
  else if (!ctrl && key === "c") check(app);
  else return false;
  return true;
}

/** Show a hint: at first its lines, at the next call its cells, which stay until it is followed. */
function hint(app) {
  const { hint: shown } = app.store.get().play;
  if (!shown) return request(app, "hint", "play/hinted");
  if (shown.hasCells) return undefined;
  app.store.dispatch({ type: "play/more" });
  return app.announce(textOfHint(app.store.get().play.hint));
}
const check = (app) => request(app, "check", "play/checked");

async function request(app, what, type) {
  const { doc, play } = app.store.get();
  const puzzle = puzzleOf(doc);
  if (!app.answers.can("hint", puzzle.family)) return;
  const cannot = whyUnplayable(puzzle);
  if (cannot || !play.marks || play.isSolved || play.pending) return cannot && app.toast(cannot);
  const { marks } = play;
  app.store.dispatch({ type: "play/requested", what });
  const { signal } = (pending = new AbortController());
  try {
    const found = await askHint(app, signal);
    if (signal !== pending.signal) return; // the next question has been sent
    app.store.dispatch({ type, found, marks });
    const { note, hint: shown } = app.store.get().play;
    app.announce(shown ? textOfHint(shown) : note);
  } catch (error) {
    if (signal !== pending.signal) return;
    app.store.dispatch({ type: "play/failed", message: isCalledOff(error) ? "" : error.message });
  }
}

/** The answer to a hint for the current marks. */
function askHint(app, signal) {
  const { doc, play } = app.store.get();
  const puzzle = puzzleOf(doc);
  const given =
    puzzle.family === "slitherlink"
      ? rowsOfEdges(play.marks, puzzle.height, puzzle.width)
      : rowsOf(play.marks, puzzle);
  return app.answers.query("hint", { puzzle: toSent(doc), given }, { signal });
}

/** Apply the hint. */
function apply(app) {
  const { hint: shown } = app.store.get().play;
  if (!shown) return;
  if (!shown.hasCells) return void hint(app);
  const places = shown.todo.map(({ place }) => place);
  app.store.dispatch({ type: "play/set", places, to: shown.todo.map(({ value }) => value) });
}
