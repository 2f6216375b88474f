// Operations on pictures: turn, mirror, resize, copy and move parts. All are pure: a document in,
// another one out, with its mask of protected cells.

import { withCells } from "./document.js";

/**
 * A document whose cell (row, column) is cell `from(row, column)` of the old one, or empty for -1.
 */
function remade(doc, height, width, from) {
  const take = (old) => {
    const cells = new Uint8Array(height * width);
    for (let row = 0; row < height; row += 1) {
      for (let column = 0; column < width; column += 1) {
        const at = from(row, column);
        cells[row * width + column] = at < 0 ? 0 : old[at];
      }
    }
    return cells;
  };
  const mask = doc.protected ? take(doc.protected) : null;
  return withCells(doc, take(doc.cells), {
    height,
    width,
    protected: mask?.some(Boolean) ? mask : null,
  });
}

/** Mirror left and right. */
export const mirroredAcross = (doc) =>
  remade(doc, doc.height, doc.width, (row, column) => row * doc.width + doc.width - 1 - column);

/** Mirror top and bottom. */
export const mirroredDown = (doc) =>
  remade(doc, doc.height, doc.width, (row, column) => (doc.height - 1 - row) * doc.width + column);

/** Turn clockwise by a quarter. */
export const rotated = (doc) =>
  remade(doc, doc.width, doc.height, (row, column) => (doc.height - 1 - column) * doc.width + row);

/** Nine anchors: place of the old picture in a new size, as shares of the added space. */
export const ANCHORS = {
  "top left": [0, 0],
  top: [0, 0.5],
  "top right": [0, 1],
  left: [0.5, 0],
  middle: [0.5, 0.5],
  right: [0.5, 1],
  "bottom left": [1, 0],
  bottom: [1, 0.5],
  "bottom right": [1, 1],
};

/** Resize the picture around its anchor; cells outside the new size are cut off. */
export function resized(doc, height, width, anchor = "top left") {
  const [down, across] = ANCHORS[anchor];
  const top = Math.floor((height - doc.height) * down);
  const left = Math.floor((width - doc.width) * across);
  return remade(doc, height, width, (row, column) => {
    const [r, c] = [row - top, column - left];
    return r < 0 || c < 0 || r >= doc.height || c >= doc.width ? -1 : r * doc.width + c;
  });
}

/** Crop to a rectangle. */
export const cropped = (doc, { top, left, height, width }) =>
  remade(doc, height, width, (row, column) => (top + row) * doc.width + left + column);

/** The smallest rectangle that holds all filled cells; null for an empty picture. */
export function boundsOf(doc) {
  let [top, left, bottom, right] = [doc.height, doc.width, -1, -1];
  doc.cells.forEach((value, at) => {
    if (!value) return;
    const [row, column] = [Math.floor(at / doc.width), at % doc.width];
    [top, bottom] = [Math.min(top, row), Math.max(bottom, row)];
    [left, right] = [Math.min(left, column), Math.max(right, column)];
  });
  return bottom < 0 ? null : { top, left, height: bottom - top + 1, width: right - left + 1 };
}

const whole = (doc) => ({ top: 0, left: 0, height: doc.height, width: doc.width });

/** Change the cells of a rectangle by `change(value)`. */
function changedIn(doc, box, change) {
  const cells = doc.cells.slice();
  const { top, left, height, width } = box ?? whole(doc);
  for (let row = top; row < top + height; row += 1) {
    for (let at = row * doc.width + left; at < row * doc.width + left + width; at += 1)
      cells[at] = change(cells[at]);
  }
  return withCells(doc, cells);
}

/** Empty all cells, or those of a rectangle. */
export const cleared = (doc, box = null) => changedIn(doc, box, () => 0);

/** Fill empty cells with a colour, and empty all others. */
export const inverted = (doc, colour = 1, box = null) =>
  changedIn(doc, box, (value) => (value ? 0 : colour));

/** The cells of a rectangle, to be pasted: `{ height, width, cells }`. */
export function copied(doc, box) {
  const { height, width, cells } = cropped(doc, box);
  return { height, width, cells };
}

/**
 * Paste a copy with its first cell at (top, left); cells outside the picture are left out.
 *
 * @param {boolean} isClear True if empty cells of the copy leave the picture unchanged.
 */
export function pasted(doc, copy, top, left, isClear = false) {
  const cells = doc.cells.slice();
  for (let row = 0; row < copy.height; row += 1) {
    for (let column = 0; column < copy.width; column += 1) {
      const [r, c] = [top + row, left + column];
      if (r < 0 || c < 0 || r >= doc.height || c >= doc.width) continue;
      const value = copy.cells[row * copy.width + column];
      if (value || !isClear) cells[r * doc.width + c] = Math.min(value, doc.palette.length);
    }
  }
  return withCells(doc, cells);
}

/** Move the cells of a rectangle; the old place becomes empty. */
export function moved(doc, box, down, across) {
  const { cells } = movedCells(doc, box, down, across);
  const mask = doc.protected && movedCells(withCells(doc, doc.protected), box, down, across).cells;
  return withCells(doc, cells, { protected: mask?.some(Boolean) ? mask : null });
}

function movedCells(doc, box, down, across) {
  return pasted(cleared(doc, box), copied(doc, box), box.top + down, box.left + across);
}

/** Move the whole picture; cells that leave on one side return on the other. */
export function shifted(doc, down, across) {
  const turn = (value, size) => ((value % size) + size) % size;
  return remade(
    doc,
    doc.height,
    doc.width,
    (row, column) => turn(row - down, doc.height) * doc.width + turn(column - across, doc.width),
  );
}
