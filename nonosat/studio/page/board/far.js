// The far side of a board: the numbers of its lines, and of a step by prices what each row can earn
// at most and each column has to pay at least.

import { DIGIT } from "./layout.js";

/** A number as it is printed, with a minus that is as wide as a plus. */
export function printed(number) {
  return String(number).replace("-", "\u2212");
}

/**
 * Which of so many lines have their number written: all, or as many as there is room for.
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

/** Numbers and sums, the lines at the pointer behind them. */
export function paintFar(context, scene, layout, theme, pointer) {
  const { far, pane } = layout;
  if (!far.right) return;
  context.save();
  context.textBaseline = "middle";
  context.font = `${far.font}px ${theme.font}`;
  const [right, below] = [pane.left + pane.width, pane.top + pane.height];
  inside(context, [right, pane.top, far.right, pane.height], () => {
    paintRows(context, scene, layout, theme, pointer);
  });
  inside(context, [pane.left, below, pane.width, far.below], () => {
    paintColumns(context, scene, layout, theme, pointer);
  });
  if (scene.prices) paintTotals(context, scene.prices, layout, theme);
  context.restore();
}

function inside(context, place, draw) {
  context.save();
  context.beginPath();
  context.rect(...place);
  context.clip();
  draw();
  context.restore();
}

const isStrong = (at) => at === 0 || at % 5 === 4;

function paintRows(context, scene, layout, theme, pointer) {
  const { far, cell, pane, top, height } = layout;
  const right = pane.left + pane.width;
  context.fillStyle = theme.band;
  if (pointer.row >= 0) context.fillRect(right, top + pointer.row * cell, far.right, cell);
  context.textAlign = "right";
  for (const row of numberedLines(height, cell, far.font)) {
    context.fillStyle = isStrong(row) ? theme.ink : theme.soft;
    context.fillText(row + 1, right + far.number - 0.15 * far.font, top + (row + 0.5) * cell);
  }
  if (!scene.prices || cell < 0.8 * far.font) return;
  for (const { row, amount } of scene.prices.sums) {
    if (row === undefined) continue;
    context.fillStyle = theme.accent;
    context.fillText(printed(amount), right + far.right, top + (row + 0.5) * cell);
  }
}

function paintColumns(context, scene, layout, theme, pointer) {
  const { far, cell, pane, left, width } = layout;
  const below = pane.top + pane.height;
  context.fillStyle = theme.band;
  if (pointer.column >= 0) context.fillRect(left + pointer.column * cell, below, cell, far.below);
  context.textAlign = "center";
  const room = (String(width).length + 0.6) * DIGIT * far.font;
  for (const column of numberedLines(width, cell, room)) {
    context.fillStyle = isStrong(column) ? theme.ink : theme.soft;
    context.fillText(column + 1, left + (column + 0.5) * cell, below + 0.8 * far.font);
  }
  if (!scene.prices || cell < far.font) return;
  for (const { column, amount } of scene.prices.sums) {
    if (column === undefined) continue;
    context.fillStyle = theme.accent;
    context.fillText(printed(amount), left + (column + 0.5) * cell, below + 2.2 * far.font, cell);
  }
}

/** In the corner what all rows can earn, and below it what all columns have to pay. */
function paintTotals(context, { earned, paid }, { far, pane }, theme) {
  const [right, below] = [pane.left + pane.width + far.right, pane.top + pane.height];
  context.font = `650 ${far.font}px ${theme.font}`;
  context.textAlign = "right";
  context.fillStyle = theme.accent;
  context.fillText(printed(earned), right, below + 0.8 * far.font, far.right);
  context.fillText(printed(paid), right, below + 2.2 * far.font, far.right);
}
