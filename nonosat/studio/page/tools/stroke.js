// The effect of a tool's stroke: pure, from the document before it and the cells on its way.

import { boxOf, cellsOfBox, lineBetween, masked, painted, regionAt } from "../state/drawing.js";
import { moved, shifted } from "../state/geometry.js";

/**
 * Begin a stroke.
 *
 * @param {object} state Of the page.
 * @param {{row: number, column: number}} cell
 * @param {{isErasing: boolean}} how True for the other button.
 */
export function beginStroke(state, cell, { isErasing }) {
  const { doc, selection, tools } = state;
  const at = cell.row * doc.width + cell.column;
  const inSelection = selection && isInside(selection, cell);
  const stroke = {
    tool: tools.tool,
    base: doc,
    start: cell,
    last: cell,
    colour: isErasing ? 0 : tools.colour,
    selection,
  };
  if (tools.tool === "eraser") stroke.colour = 0;
  stroke.isOnOwn = tools.tool === "pen" && doc.cells[at] === stroke.colour;
  if (tools.tool === "protect") stroke.value = isErasing || doc.protected?.[at] ? 0 : 1;
  if (tools.tool === "select" && inSelection) stroke.tool = "move";
  if (stroke.tool === "move" && !inSelection) stroke.selection = null;
  return stroke;
}

const isInside = ({ top, left, height, width }, { row, column }) =>
  row >= top && row < top + height && column >= left && column < left + width;

/**
 * Continue the stroke to a cell.
 *
 * @param {object} doc The document as the stroke has made it so far.
 * @returns {{stroke: object, doc: object, selection?: object|null}}
 */
export function continueStroke(stroke, doc, cell) {
  const isSame = cell.row === stroke.start.row && cell.column === stroke.start.column;
  const next = { ...stroke, last: cell, hasLeft: stroke.hasLeft || !isSame };
  const act = ACTS[stroke.tool];
  return { stroke: next, ...act(next, doc, cell, stroke.last) };
}

/**
 * The document when a stroke ends. A pen that only touched a cell of its own colour removes the
 * colour: one button is sufficient to draw and erase, on phones too.
 */
export function endStroke(stroke, doc) {
  return stroke.isOnOwn && !stroke.hasLeft ? painted(doc, [stroke.start], 0) : doc;
}

const ACTS = {
  pen: (stroke, doc, cell, last) => ({ doc: painted(doc, lineBetween(last, cell), stroke.colour) }),
  eraser: (stroke, doc, cell, last) => ({ doc: painted(doc, lineBetween(last, cell), 0) }),
  protect: (stroke, doc, cell, last) => ({
    doc: masked(doc, lineBetween(last, cell), stroke.value),
  }),
  line: (stroke, doc, cell) => ({
    doc: painted(stroke.base, lineBetween(stroke.start, cell), stroke.colour),
  }),
  rectangle: (stroke, doc, cell) => ({
    doc: painted(stroke.base, cellsOfBox(boxOf(stroke.start, cell), false), stroke.colour),
  }),
  box: (stroke, doc, cell) => ({
    doc: painted(stroke.base, cellsOfBox(boxOf(stroke.start, cell)), stroke.colour),
  }),
  fill: (stroke) => ({
    doc: painted(stroke.base, regionAt(stroke.base, stroke.start), stroke.colour),
  }),
  select: (stroke, doc, cell) => ({ doc, selection: boxOf(stroke.start, cell) }),
  move(stroke, doc, cell) {
    const [down, across] = [cell.row - stroke.start.row, cell.column - stroke.start.column];
    if (!stroke.selection) return { doc: shifted(stroke.base, down, across) };
    const box = stroke.selection;
    const selection = clipped({ ...box, top: box.top + down, left: box.left + across }, doc);
    return { doc: moved(stroke.base, box, down, across), selection };
  },
};

/** The part of a rectangle on the board, or null. */
export function clipped({ top, left, height, width }, doc) {
  const [t, l] = [Math.max(0, top), Math.max(0, left)];
  const [b, r] = [Math.min(doc.height, top + height), Math.min(doc.width, left + width)];
  return b > t && r > l ? { top: t, left: l, height: b - t, width: r - l } : null;
}
