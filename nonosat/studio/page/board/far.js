// The far side of a board: the numbers of its lines, and for a step by prices the maximum that each
// row can earn and the minimum that each column has to pay.

import { DIGIT } from "./layout.js";

/** A number as it is printed, with a minus that is as wide as a plus. */
export function printed(number) {
  return String(number).replace("-", "\u2212");
}

/**
 * The lines whose number is written: all, or as many as fit.
 *
 * @param {number} count
 * @param {number} cell Pixels from one line to the next.
 * @param {number} room Pixels that a number takes.
 * @returns {number[]} From 0.
 */
export function numberedLines(count, cell, room) {
  const step = [1, 5, 10, 20, 50].find((by) => by * cell >= room) ?? 100;
  return Array.from({ length: count }, (_, at) => at).filter(
    (at) => (at + 1) % step === 0 || (at === 0 && (step - 1) * cell >= room),
  );
}

/** Numbers and sums, over bands for the lines at the pointer. */
export function paintFar(context, scene, layout, theme, pointer) {
  const { far, pane } = layout;
  if (!far.right) return;
  context.save();
  context.textBaseline = "middle";
  context.font = `${far.font}px ${theme.font}`;
  paintBands(context, layout, theme, pointer);
  paintRows(context, scene, layout, theme);
  paintColumns(context, scene, layout, theme);
  if (scene.prices) paintTotals(context, scene.prices, layout, theme);
  context.restore();
}

/** Bands under the numbers of the lines at the pointer. */
function paintBands(context, { far, pane, left, top, cell }, theme, pointer) {
  context.fillStyle = theme.band;
  const [right, below] = [pane.left + pane.width, pane.top + pane.height];
  if (isVisible(pane.top, pane.height, top, cell, pointer.row))
    context.fillRect(right, top + pointer.row * cell, far.right, cell);
  if (isVisible(pane.left, pane.width, left, cell, pointer.column))
    context.fillRect(left + pointer.column * cell, below, cell, far.below);
}

/** True if the middle of a line is in view. */
function isVisible(from, size, start, cell, at) {
  const middle = start + (at + 0.5) * cell;
  return at >= 0 && middle >= from && middle <= from + size;
}

const isStrong = (at) => at === 0 || at % 5 === 4;

function paintRows(context, scene, layout, theme) {
  const { far, cell, pane, top, height } = layout;
  const right = pane.left + pane.width;
  const isHere = (row) => isVisible(pane.top, pane.height, top, cell, row);
  context.textAlign = "right";
  for (const row of numberedLines(height, cell, far.font).filter(isHere)) {
    context.fillStyle = isStrong(row) ? theme.ink : theme.soft;
    context.fillText(row + 1, right + far.number - 0.15 * far.font, top + (row + 0.5) * cell);
  }
  if (!scene.prices || cell < far.font) return;
  context.fillStyle = theme.accent;
  for (const { row, amount } of scene.prices.sums.filter((sum) => isHere(sum.row)))
    context.fillText(printed(amount), right + far.right, top + (row + 0.5) * cell);
}

function paintColumns(context, scene, layout, theme) {
  const { far, cell, pane, left, width } = layout;
  const below = pane.top + pane.height;
  const isHere = (column) => isVisible(pane.left, pane.width, left, cell, column);
  context.textAlign = "center";
  const room = (String(width).length + 0.6) * DIGIT * far.font;
  for (const column of numberedLines(width, cell, room).filter(isHere)) {
    context.fillStyle = isStrong(column) ? theme.ink : theme.soft;
    context.fillText(column + 1, left + (column + 0.5) * cell, below + 0.8 * far.font);
  }
  const sums = (scene.prices?.sums ?? []).filter(({ column }) => isHere(column));
  const longest = Math.max(0, ...sums.map(({ amount }) => printed(amount).length));
  if (cell < (0.4 + longest * DIGIT) * far.font) return;
  context.fillStyle = theme.accent;
  for (const { column, amount } of sums)
    context.fillText(printed(amount), left + (column + 0.5) * cell, below + 2.2 * far.font);
}

/**
 * Write the maximum earnings of all rows into the corner, and below it the minimum payment of all
 * columns.
 */
function paintTotals(context, { earned, paid }, { far, pane }, theme) {
  const [right, below] = [pane.left + pane.width + far.right, pane.top + pane.height];
  context.font = `650 ${far.font}px ${theme.font}`;
  context.textAlign = "right";
  context.fillStyle = theme.accent;
  context.fillText(printed(earned), right, below + 0.8 * far.font, far.right);
  context.fillText(printed(paid), right, below + 2.2 * far.font, far.right);
}
