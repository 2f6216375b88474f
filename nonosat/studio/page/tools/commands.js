// All commands on a picture, by button or key, in one table.

import { MAX_COLOURS } from "../state/document.js";
import { withColour } from "../state/palette.js";
import {
  boundsOf,
  cleared,
  copied,
  cropped,
  inverted,
  mirroredAcross,
  mirroredDown,
  pasted,
  rotated,
} from "../state/geometry.js";
import { clipped } from "./stroke.js";
import { showHelp } from "./help.js";
import { showResize } from "./resize.js";

/** Tools: [name, label, key, icon]. */
export const TOOLS = [
  ["pen", "Pen", "P", "pen"],
  ["line", "Line", "L", "line"],
  ["rectangle", "Rectangle, outline", "R", "rectangle"],
  ["box", "Rectangle, filled", "B", "box"],
  ["fill", "Fill an area", "F", "fill"],
  ["eraser", "Eraser", "E", "eraser"],
  ["select", "Select", "S", "select"],
  ["move", "Move", "M", "move"],
  ["protect", "Protect cells from repairs", "K", "lock"],
];

const edit = (change) => (app) => {
  const { store } = app;
  const state = store.get();
  store.dispatch({ type: "edit", doc: change(state.doc, state) });
  return true;
};

const select = (app, selection) => {
  app.store.dispatch({ type: "select", selection });
  return true;
};

/** A command has a label, an icon, keys ("Ctrl+Z") and `run(app)`. `picture` needs a picture. */
export const COMMANDS = {
  undo: { label: "Undo", icon: "undo", keys: ["Ctrl+Z"], run: (app) => step(app, "undo") },
  redo: {
    label: "Redo",
    icon: "redo",
    keys: ["Ctrl+Shift+Z", "Ctrl+Y"],
    run: (app) => step(app, "redo"),
  },
  mirrorAcross: {
    label: "Mirror left and right",
    icon: "mirrorAcross",
    keys: ["H"],
    picture: true,
    run: edit(mirroredAcross),
  },
  mirrorDown: {
    label: "Mirror top and bottom",
    icon: "mirrorDown",
    keys: ["V"],
    picture: true,
    run: edit(mirroredDown),
  },
  rotate: {
    label: "Turn clockwise",
    icon: "rotate",
    keys: ["T"],
    picture: true,
    run: edit(rotated),
  },
  invert: {
    label: "Invert",
    icon: "invert",
    keys: ["I"],
    picture: true,
    run: edit((doc, { tools, selection }) => inverted(doc, tools.colour, selection)),
  },
  resize: {
    label: "Size and title…",
    icon: "resize",
    keys: ["G"],
    picture: true,
    run: (app) => showResize(app),
  },
  crop: {
    label: "Crop to the selection, or to what is drawn",
    icon: "crop",
    keys: ["C"],
    picture: true,
    run: crop,
  },
  clear: {
    label: "Clear",
    icon: "clear",
    keys: [],
    picture: true,
    run: edit((doc, { selection }) => cleared(doc, selection)),
  },
  erase: {
    label: "Empty the selection, or the cell at the cursor",
    keys: ["Delete", "Backspace"],
    picture: true,
    run: edit((doc, { selection, cursor }) =>
      cleared(doc, selection ?? { top: cursor.row, left: cursor.column, height: 1, width: 1 }),
    ),
  },
  selectAll: {
    label: "Select all",
    keys: ["Ctrl+A"],
    picture: true,
    run: (app) =>
      select(app, {
        top: 0,
        left: 0,
        height: app.store.get().doc.height,
        width: app.store.get().doc.width,
      }),
  },
  deselect: {
    label: "Select nothing",
    keys: ["Escape"],
    run: (app) => Boolean(app.store.get().selection) && select(app, null),
  },
  addColour: {
    label: "Add a colour",
    keys: ["A"],
    picture: true,
    run: addColour,
  },
  letters: {
    label: "Letters on colours",
    keys: ["N"],
    run: (app) => Boolean(app.store.dispatch({ type: "tools/letters" })),
  },
  zoomIn: { label: "Zoom in", keys: ["+"], run: (app) => app.board.zoom(1.25) ?? true },
  zoomOut: { label: "Zoom out", keys: ["-"], run: (app) => app.board.zoom(0.8) ?? true },
  fit: { label: "Show all of the board", keys: ["Z"], run: (app) => app.board.fit() ?? true },
  help: { label: "Keys", icon: "help", keys: ["?"], run: () => showHelp(TOOLS, COMMANDS) },
};

function step(app, type) {
  const { past, future } = app.store.get().history;
  const hasSome = type === "undo" ? past.length || app.store.get().draft : future.length;
  app.store.dispatch({ type });
  app.announce(hasSome ? (type === "undo" ? "Undone" : "Done again") : `Nothing to ${type}`);
  return true;
}

/** Add a colour and select it. */
function addColour(app) {
  const { store } = app;
  if (store.get().doc.palette.length >= MAX_COLOURS) {
    app.toast(`A picture has at most ${MAX_COLOURS} colours.`);
    return true;
  }
  store.dispatch({ type: "edit", doc: withColour(store.get().doc) });
  store.dispatch({ type: "tools/colour", colour: store.get().doc.palette.length });
  return true;
}

function crop(app) {
  const { doc, selection } = app.store.get();
  const box = selection ?? boundsOf(doc);
  if (!box) app.toast("Nothing is drawn yet: draw, or select the part to keep.");
  else app.store.dispatch({ type: "edit", doc: cropped(doc, box) });
  return true;
}

/** The name of a key with its modifiers: "Ctrl+Shift+Z", "H". */
export function nameOfKey(event) {
  const ctrl = event.ctrlKey || event.metaKey;
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  const isLetter = /^[A-Z]$/.test(key);
  const shift = event.shiftKey && (isLetter || key.length > 1);
  return `${ctrl ? "Ctrl+" : ""}${shift ? "Shift+" : ""}${key}`;
}

/** The meaning of a key: `{ tool }`, `{ colour }`, `{ command }`, or null. */
export function commandOfKey(event) {
  if (event.altKey) return null;
  const name = nameOfKey(event);
  const tool = TOOLS.find(([, , key]) => key === name);
  if (tool) return { tool: tool[0] };
  if (/^[0-9]$/.test(name)) return { colour: Number(name) };
  const found = Object.entries(COMMANDS).find(([, { keys }]) => keys.includes(name));
  return found ? { command: found[0] } : null;
}

/** Execute the meaning of a key; return true if it has one. */
export function doCommand({ tool, colour, command }, app) {
  const { store } = app;
  const { doc } = store.get();
  const isPicture = doc.kind === "picture";
  if (command) return !COMMANDS[command].picture || isPicture ? COMMANDS[command].run(app) : false;
  if (!isPicture) return false;
  if (tool) store.dispatch({ type: "tools/tool", tool });
  else if (colour === 0) store.dispatch({ type: "tools/tool", tool: "eraser" });
  else if (colour <= doc.palette.length) store.dispatch({ type: "tools/colour", colour });
  else return false;
  return true;
}

let clipboard = null; // { copy, text }: survives the document, local to this tab

/** Copy the selection; return the text that represents it in the system's clipboard. */
export function copySelection(app, isCut = false) {
  const { doc, selection } = app.store.get();
  if (!selection || doc.kind !== "picture") return null;
  const copy = copied(doc, selection);
  const lines = [];
  for (let at = 0; at < copy.cells.length; at += copy.width) {
    lines.push(
      Array.from(copy.cells.subarray(at, at + copy.width), (value) => (value ? "#" : ".")).join(""),
    );
  }
  clipboard = { copy, text: lines.join("\n") };
  if (isCut) app.store.dispatch({ type: "edit", doc: cleared(doc, selection) });
  return clipboard.text;
}

/** Paste the copied cells, if the system's clipboard holds them; the paste is selected. */
export function pasteCopied(app, text) {
  const { doc, cursor, selection } = app.store.get();
  if (
    !clipboard ||
    doc.kind !== "picture" ||
    text.replaceAll("\r", "").trim() !== clipboard.text.trim()
  )
    return false;
  const { copy } = clipboard;
  const at = selection ? { row: selection.top, column: selection.left } : cursor;
  const top = Math.max(0, Math.min(at.row, doc.height - copy.height));
  const left = Math.max(0, Math.min(at.column, doc.width - copy.width));
  app.store.dispatch({ type: "edit", doc: pasted(doc, copy, top, left) });
  select(app, clipped({ top, left, height: copy.height, width: copy.width }, doc));
  app.store.dispatch({ type: "tools/tool", tool: "move" });
  return true;
}
