// The mode draw: tools, palette, shortcuts, the board while a picture is drawn.

import { cluesOf } from "../state/document.js";
import { masked, painted } from "../state/drawing.js";
import { doCommand, commandOfKey } from "./commands.js";
import { mountDrawing } from "./drawing.js";
import { mountStart } from "./start.js";
import { mountToolbar } from "./toolbar.js";
import { beginStroke, continueStroke, endStroke } from "./stroke.js";

/** Tools that draw at once; the others span from one cell to another. */
const FREE = new Set(["pen", "eraser", "protect", "fill"]);

export function initial(kept) {
  return { tool: "pen", colour: 1, letters: false, ...kept, stroke: null };
}

export const keep = ({ tool, colour, letters }) => ({ tool, colour, letters });

export function reduce(slice, action, state) {
  const next = REDUCE[action.type]?.(slice, action) ?? slice;
  const most = state.doc.palette.length;
  return next.colour > most ? { ...next, colour: most } : next;
}

const REDUCE = {
  "tools/tool": (slice, { tool }) => ({ ...slice, tool, stroke: null }),
  "tools/colour": (slice, { colour }) => ({
    ...slice,
    colour,
    // Choosing a colour selects a tool that draws.
    tool: ["eraser", "protect", "select", "move"].includes(slice.tool) ? "pen" : slice.tool,
  }),
  "tools/letters": (slice) => ({ ...slice, letters: !slice.letters }),
  draft: (slice, { stroke }) => (stroke === undefined ? slice : { ...slice, stroke }),
  "tools/stroke": (slice, { stroke }) => ({ ...slice, stroke }),
  // Continuing a stroke would undo a command that was executed meanwhile.
  edit: strokeless,
  commit: strokeless,
  abandon: strokeless,
  mode: strokeless,
  undo: strokeless,
};

function strokeless(slice) {
  return slice.stroke ? { ...slice, stroke: null } : slice;
}

/** The content of the board in the mode draw. */
export function scene(state) {
  const { doc, cursor, selection, tools } = state;
  const clues = cluesOf(doc);
  const isPicture = doc.kind === "picture";
  const found = {
    family: doc.family ?? "nonogram",
    height: doc.height,
    width: doc.width,
    palette: doc.palette,
    background: doc.background,
    cells: isPicture ? doc.cells : openCells(doc),
    crosses: null,
    ...clues,
    marks: protectedMarks(doc),
    lines: [],
    cursor,
    selection,
    grows: isPicture,
    letters: tools.letters,
  };
  if (found.family === "slitherlink") found.clues = doc.puzzle.rows;
  return found;
}

const remembered = new WeakMap();

function protectedMarks(doc) {
  if (!doc.protected) return [];
  if (!remembered.has(doc.protected)) {
    const marks = [];
    doc.protected.forEach((value, at) => {
      if (value)
        marks.push({ row: Math.floor(at / doc.width), column: at % doc.width, kind: "protected" });
    });
    remembered.set(doc.protected, marks);
  }
  return remembered.get(doc.protected);
}

function openCells(doc) {
  if (!remembered.has(doc)) remembered.set(doc, new Uint8Array(doc.height * doc.width).fill(255));
  return remembered.get(doc);
}

/** Handle events of the board in the mode draw. */
export function onBoard(event, app) {
  const state = app.store.get();
  if (state.doc.kind !== "picture") return false;
  return HANDLE[event.type]?.(event, app, state) ?? false;
}

const HANDLE = {
  down(event, app, state) {
    if (event.row < 0 || event.column < 0) return;
    const isErasing =
      event.button === 2 || event.button === 5 || (event.shift && event.button === 0);
    go(app, beginStroke(state, event, { isErasing }), event);
  },
  move(event, app, state) {
    const { stroke } = state.tools;
    if (stroke && !stroke.byKey) go(app, stroke, event);
  },
  up(event, app, state) {
    if (state.tools.stroke && !state.tools.stroke.byKey) end(app);
  },
  cancel: (event, app) => app.store.dispatch({ type: "abandon" }),
  cursor(event, app, state) {
    const { stroke, tool } = state.tools;
    if (stroke?.byKey) go(app, stroke, event);
    else if (event.shift && (tool === "select" || FREE.has(tool))) drawAlong(event, app, state);
    return true;
  },
  key(event, app, state) {
    const { stroke, tool } = state.tools;
    if (event.key === "Escape" && stroke) {
      app.store.dispatch({ type: "abandon" });
      return true;
    }
    if ((event.key !== " " && event.key !== "Enter") || event.ctrl) return false;
    if (stroke) end(app);
    else {
      const begun = beginStroke(state, state.cursor, { isErasing: event.shift });
      go(app, { ...begun, byKey: true }, state.cursor);
      if (FREE.has(tool)) end(app);
      else app.announce(`${tool} begun. Move with the arrow keys, Enter ends it, Escape cancels it.`);
    }
    return true;
  },
};

/** Draw, or extend a selection, from cell to cell by Shift and arrow keys. */
function drawAlong(event, app, state) {
  const { doc, tools } = state;
  const cell = { row: event.row, column: event.column };
  if (tools.tool === "select") {
    go(app, { ...beginStroke({ ...state, selection: null }, state.cursor, {}), byKey: true }, cell);
    return;
  }
  if (tools.tool === "fill") return;
  const next =
    tools.tool === "protect"
      ? masked(doc, [cell], 1)
      : painted(doc, [cell], tools.tool === "eraser" ? 0 : tools.colour);
  app.store.dispatch({ type: "edit", doc: next });
}

function go(app, stroke, { row, column }) {
  const { store } = app;
  const state = store.get();
  const next = continueStroke(stroke, state.doc, { row, column });
  if (next.doc === state.doc) store.dispatch({ type: "tools/stroke", stroke: next.stroke });
  else store.dispatch({ type: "draft", doc: next.doc, stroke: next.stroke });
  if (next.selection !== undefined) store.dispatch({ type: "select", selection: next.selection });
  else if (stroke.tool !== "select" && state.selection && stroke.tool !== "move") {
    store.dispatch({ type: "select", selection: null });
  }
}

function end(app) {
  const { store } = app;
  const { doc, tools } = store.get();
  const last = endStroke(tools.stroke, doc);
  if (last !== doc) store.dispatch({ type: "draft", doc: last });
  // A touch with the select tool that selects nothing removes the selection.
  if (tools.stroke.tool === "select" && !tools.stroke.hasLeft)
    store.dispatch({ type: "select", selection: null });
  store.dispatch({ type: "commit" });
}

/** Shortcuts of the mode. */
export function onKey(event, app) {
  const command = commandOfKey(event);
  return command ? doCommand(command, app) : false;
}

export function mount(element, app) {
  mountToolbar(element, app);
  mountDrawing(document.getElementById("drawing"), app);
  mountStart(document.getElementById("start"), app);
}
