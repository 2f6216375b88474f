// Strokes: the cells that a tool touches, and their new values. Cells are { row, column }.

import { withCells } from "./document.js";

/** Cells from one to another without a gap (J. E. Bresenham, 1965), both ends included. */
export function lineBetween(from, to) {
  const found = [];
  let { row, column } = from;
  const [down, across] = [Math.abs(to.row - row), Math.abs(to.column - column)];
  const [stepDown, stepAcross] = [Math.sign(to.row - row), Math.sign(to.column - column)];
  let error = across - down;
  for (;;) {
    found.push({ row, column });
    if (row === to.row && column === to.column) return found;
    const twice = 2 * error;
    if (twice > -down) {
      error -= down;
      column += stepAcross;
    }
    if (twice < across) {
      error += across;
      row += stepDown;
    }
  }
}

/** The rectangle of two corners: `{ top, left, height, width }`. */
export function boxOf(a, b) {
  const [top, left] = [Math.min(a.row, b.row), Math.min(a.column, b.column)];
  return {
    top,
    left,
    height: Math.abs(a.row - b.row) + 1,
    width: Math.abs(a.column - b.column) + 1,
  };
}

/** All cells of a rectangle, or those of its outline. */
export function cellsOfBox({ top, left, height, width }, isFilled = true) {
  const found = [];
  for (let row = top; row < top + height; row += 1) {
    const isEdge = row === top || row === top + height - 1;
    const step = isFilled || isEdge ? 1 : Math.max(1, width - 1);
    for (let column = left; column < left + width; column += step) found.push({ row, column });
  }
  return found;
}

/** The connected cells of one colour that include a given cell. */
export function regionAt(doc, start) {
  const { cells, height, width } = doc;
  const first = start.row * width + start.column;
  const colour = cells[first];
  const seen = new Uint8Array(cells.length);
  const open = [first];
  const found = [];
  seen[first] = 1;
  while (open.length) {
    const at = open.pop();
    const [row, column] = [Math.floor(at / width), at % width];
    found.push({ row, column });
    const near = [
      row > 0 && at - width,
      row < height - 1 && at + width,
      column > 0 && at - 1,
      column < width - 1 && at + 1,
    ];
    for (const next of near) {
      if (next === false || seen[next] || cells[next] !== colour) continue;
      seen[next] = 1;
      open.push(next);
    }
  }
  return found;
}

/**
 * The document with cells in a colour (0 is empty), ignoring cells outside the board; the same
 * document if nothing changes.
 */
export function painted(doc, places, colour) {
  let cells = null;
  for (const { row, column } of places) {
    if (row < 0 || row >= doc.height || column < 0 || column >= doc.width) continue;
    const at = row * doc.width + column;
    if (doc.cells[at] === colour) continue;
    cells ??= doc.cells.slice();
    cells[at] = colour;
  }
  return cells ? withCells(doc, cells) : doc;
}

/** The document after protecting cells from repairs (1), or ending this (0). */
export function masked(doc, places, value) {
  const mask = doc.protected ? doc.protected.slice() : new Uint8Array(doc.height * doc.width);
  for (const { row, column } of places) {
    if (row >= 0 && row < doc.height && column >= 0 && column < doc.width)
      mask[row * doc.width + column] = value;
  }
  return { ...doc, protected: mask.some(Boolean) ? mask : null };
}
