// A puzzle's sheet as shapes of SVG, measured in cells: the board to solve, or its solution.

import { inkOn } from "../state/colours.js";

const CLUE = 0.8; // width and height of a number's place
const GAP = 0.15; // between clues and board
const INK = "#000000";

/**
 * The shapes of a sheet.
 *
 * @param {object} puzzle As `puzzleOf` of `play/puzzle.js` returns it.
 * @param {Uint8Array|null} cells The solution, a value a cell; null for a board to solve.
 * @returns {{width: number, height: number, shapes: [string, object, string?][]}} Tag, attributes
 *   and text of each shape.
 */
export function sheetOf(puzzle, cells = null) {
  return puzzle.family === "slitherlink" ? loopSheet(puzzle) : boardSheet(puzzle, cells);
}

function boardSheet(puzzle, cells) {
  const { height, width, palette, rowClues, columnClues, given } = puzzle;
  const [left, top] = [rowClues, columnClues].map(gutter);
  const shapes = [];
  const shown = cells ?? givenCells(given, height, width);
  if (cells && puzzle.background !== "#ffffff")
    shapes.push(["rect", { x: left, y: top, width, height, fill: puzzle.background }]);
  palette.forEach((colour, at) => {
    const d = runs(shown, at + 1, { left, top, width });
    if (d) shapes.push(["path", { d, fill: colour }]);
  });
  if (!cells) shapes.push(...emptyMarks(given, left, top));
  const inks = palette.length > 1 ? palette : null;
  const place = (clue, edge, put) => {
    const blocks = blocksOf(clue);
    const start = edge - GAP - CLUE * (blocks.length - 0.5);
    blocks.forEach((block, at) => shapes.push(...number(block, ...put(start + CLUE * at), inks)));
  };
  rowClues.forEach((clue, row) => place(clue, left, (x) => [x, top + row + 0.5]));
  columnClues.forEach((clue, column) => place(clue, top, (y) => [left + column + 0.5, y]));
  shapes.push(...grid(left, top, height, width));
  return { width: left + width + 0.1, height: top + height + 0.1, shapes };
}

/** Blocks as they are printed: "?" for a line without a clue, "0" for an empty clue. */
function blocksOf(clue) {
  if (clue === null) return [{ length: null, colour: 0 }];
  return clue.length ? clue : [{ length: 0, colour: 0 }];
}

const gutter = (clues) =>
  0.1 + GAP + CLUE * Math.max(1, ...clues.map((clue) => blocksOf(clue).length));

function number({ length, colour }, x, y, inks) {
  const text = length === null ? "?" : String(length);
  const size = text.length < 3 ? 0.6 : 0.44;
  const paper = (inks && colour && inks[colour - 1]) || null;
  const side = CLUE - 0.06;
  const box = { x: x - side / 2, y: y - side / 2, width: side, height: side, fill: paper };
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  const fill = paper ? inkOn(paper) : INK;
  const label = ["text", { x, y, "font-size": size, ...middle, fill }, text];
  return paper ? [["rect", box], label] : [label];
}

/** Given cells, a value a cell. */
function givenCells(given, height, width) {
  const cells = new Uint8Array(height * width);
  for (const [row, column, value] of given) cells[row * width + column] = value;
  return cells;
}

/** Dots in cells that are given as empty. */
const emptyMarks = (given, left, top) =>
  given
    .filter(([, , value]) => value === 0)
    .map(([row, column]) => dot(left + column + 0.5, top + row + 0.5, 0.1));

const dot = (cx, cy, r) => ["circle", { cx, cy, r, fill: INK }];

/** The cells of a value as one path, a rectangle for each run in a row. */
function runs(cells, value, { left, top, width }) {
  let d = "";
  for (let at = 0; at < cells.length; at += 1) {
    if (cells[at] !== value) continue;
    const first = at;
    while (cells[at + 1] === value && (at + 1) % width) at += 1;
    const length = at - first + 1;
    d += `M${left + (first % width)} ${top + Math.floor(first / width)}h${length}v1h-${length}z`;
  }
  return d;
}

function grid(left, top, height, width) {
  const thin = [];
  const thick = [];
  const add = (at, last, d) => (at % 5 && at !== last ? thin : thick).push(d);
  for (let row = 0; row <= height; row += 1) add(row, height, `M${left} ${top + row}h${width}`);
  for (let column = 0; column <= width; column += 1)
    add(column, width, `M${left + column} ${top}v${height}`);
  const pen = { fill: "none", stroke: INK, "stroke-linecap": "square" };
  const lines = (all, size) => ["path", { d: all.join(""), ...pen, "stroke-width": size }];
  return [lines(thin, 0.02), lines(thick, 0.07)];
}

function loopSheet({ height, width, clues }) {
  const shapes = [];
  for (let row = 0; row <= height; row += 1) {
    for (let column = 0; column <= width; column += 1)
      shapes.push(dot(column + 0.5, row + 0.5, 0.06));
  }
  clues.forEach((signs, row) => {
    [...signs].forEach((sign, column) => {
      const block = { length: Number(sign) };
      if (/\d/.test(sign)) shapes.push(...number(block, column + 1, row + 1, null));
    });
  });
  return { width: width + 1, height: height + 1, shapes };
}
