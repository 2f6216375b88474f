// The page: creates the store, the answers and the board, mounts the parts, and shows the part of
// the current mode. Each part defines the content and the actions of its modes.

import { createBoard } from "./board/index.js";
import { createAnswers } from "./answers/index.js";
import { listenToShortcuts } from "./ui/keys.js";
import { createReadout } from "./ui/readout.js";
import { mountShell } from "./ui/shell.js";
import { mountPrint } from "./print/index.js";
import { createAnnouncer, createToasts } from "./ui/toast.js";
import { firstState, reduceCore } from "./state/reduce.js";
import { newKey } from "./state/hold.js";
import { createSession } from "./state/session.js";
import { createStore } from "./state/store.js";
import * as tools from "./tools/index.js";
import * as files from "./files/index.js";
import * as verdict from "./verdict/index.js";
import * as mend from "./mend/index.js";
import * as explain from "./explain/index.js";
import * as play from "./play/index.js";

const PARTS = { tools, files, verdict, mend, explain, play };
const OWNERS = { draw: tools, explain, play };
const element = (id) => document.getElementById(id);

/** The initial slices for a new document; `kept` has the slices that survived a reload, by part. */
function slices(kept = {}) {
  const found = {};
  for (const [name, part] of Object.entries(PARTS)) {
    if (part.initial) found[name] = part.initial(kept[name]);
  }
  return found;
}

function reduce(before, action) {
  let state = reduceCore(before, action);
  if (action.type === "open") state = { ...state, ...slices(action.kept) };
  for (const [name, part] of Object.entries(PARTS)) {
    if (!part.reduce) continue;
    const slice = part.reduce(state[name], action, state);
    if (slice !== state[name]) state = { ...state, [name]: slice };
  }
  return state;
}

/** The content of the board: the scene of the mode, and the overlays of the parts. */
function sceneOf(state) {
  const owner = OWNERS[state.mode];
  if (!owner) return null;
  const scene = { marks: [], lines: [], heat: null, ...owner.scene(state) };
  for (const part of Object.values(PARTS)) {
    const over = part.overlay?.(state);
    if (!over) continue;
    if (over.marks?.length) scene.marks = [...scene.marks, ...over.marks];
    if (over.lines?.length) scene.lines = [...scene.lines, ...over.lines];
    for (const key of ["heat", "heatWords", "cells", "edges"]) scene[key] = over[key] ?? scene[key];
  }
  return scene;
}

function start() {
  const store = createStore({ ...firstState(), ...slices() }, reduce);
  const toast = createToasts(element("toasts"));
  const announce = createAnnouncer(element("announcer"));
  const session = createSession(store, PARTS, () => warnFull(toast));
  const app = { store, answers: createAnswers(), board: null, announce, toast, session };
  // A message about another document, and its "Undo", must not remain.
  const clearToasts = () => element("toasts").replaceChildren();
  app.open = (doc, { mode = "draw", key = newKey(), kept, history } = {}) => {
    clearToasts();
    store.dispatch({ type: "open", doc, key, freshKey: newKey(), mode, kept, history });
  };
  app.reopen = async (key, mode) => {
    const action = await session.opening(key);
    if (!action) return false;
    clearToasts();
    store.dispatch({ ...action, mode: mode ?? action.mode });
    return true;
  };
  app.readout = createReadout(element("readout"));
  app.board = createBoard(element("board"), { onEvent: (event) => onBoard(event, app) });
  mountShell(app);
  mountPrint(app);
  for (const [name, part] of Object.entries(PARTS)) part.mount?.(element(HOSTS[name] ?? name), app);
  showAlways(app);
  listenToShortcuts((event) => onKey(event, app));
  resume(app);
  return app;
}

const HOSTS = { files: "gallery" };

/** Handle a key: the page moves the cursor, the mode handles all other keys. */
function onBoard(event, app) {
  const { store } = app;
  const owner = OWNERS[store.get().mode];
  if (event.type !== "key") point(app, event);
  if (event.type === "cursor" || event.type === "down") {
    if (event.row >= 0 && event.column >= 0) {
      store.dispatch({ type: "cursor", row: event.row, column: event.column });
    }
  }
  return owner?.onBoard?.(event, app) ?? false;
}

/** Update the strip below the board, which describes the lines at the pointer. */
function point(app, { row, column }) {
  app.place = { row, column };
  app.readout(app.scene, row, column);
}

/** Shortcuts: a part's `onKey(event, app)`. */
function onKey(event, app) {
  if (document.querySelector("dialog[open]")) return false;
  const owner = OWNERS[app.store.get().mode];
  return owner?.onKey?.(event, app) || files.onKey(event, app);
}

/** Redraw the board after changes of the state, once a frame. */
function showAlways(app) {
  let frame = 0;
  const show = () => {
    frame = 0;
    const scene = sceneOf(app.store.get());
    app.scene = scene;
    if (scene) app.board.show(scene);
    if (scene && app.place) app.readout(scene, app.place.row, app.place.column);
  };
  app.store.subscribe(() => {
    frame ||= requestAnimationFrame(show);
  });
  show();
}

/** Open the puzzle in the address; without one restore the tab as it was before a reload. */
async function resume(app) {
  addEventListener("hashchange", () => files.openAddress(app));
  if (await files.openAddress(app)) return;
  const place = app.session.place();
  if (place?.key && (await app.reopen(place.key, place.mode))) return;
  await files.begin(app);
}

function warnFull(toast) {
  toast(
    "The browser's storage is full: this drawing is not saved. Export it as a file, or remove " +
      "old drawings in the gallery.",
    { error: true },
  );
}

start();
