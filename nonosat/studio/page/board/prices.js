// A step by prices on the board: a tint and a number in each cell with a price, and the best
// filling of the selected line, by which it earns its most or pays its least.

import { inkOn } from "../state/colours.js";
import { printed } from "./far.js";
import { sceneColours } from "./theme.js";

const LEGIBLE = 13; // CSS pixels of a cell with a readable number

/** The prices of each cell that has some: place -> [{ colour, price }, ...]. */
export function pricesByCell({ table }, width) {
  const priced = new Map();
  for (const { row, column, colour, price } of table) {
    const place = row * width + column;
    if (!priced.has(place)) priced.set(place, []);
    priced.get(place).push({ colour, price });
  }
  return priced;
}

/**
 * Paint tints and numbers; a cell with prices of several colours has a part for each of them, with
 * a stripe of its ink. A cell known to be empty has a small cross next to the number.
 */
export function paintPrices(context, scene, layout, theme) {
  const { width, cells, prices } = scene;
  const pen = penOf(context, scene, layout, theme);
  const most = Math.max(...prices.table.map(({ price }) => Math.abs(price)));
  for (const [place, entries] of pricesByCell(prices, width)) {
    const [row, column] = [Math.floor(place / width), place % width];
    if (row < layout.first.row || row > layout.last.row) continue;
    if (column < layout.first.column || column > layout.last.column) continue;
    const ink = pen.inks[cells[place] - 1];
    const part = layout.cell / entries.length;
    entries.forEach((entry, at) => {
      const [x, y] = [layout.left + column * layout.cell, layout.top + row * layout.cell + at * part];
      if (!ink) paintTint(pen, entry, x, y, part, most);
      if (pen.isLegible) paintNumber(pen, entry.price, x, y, part, ink);
    });
    if (pen.isLegible && cells[place] === 0) paintCorner(pen, row, column);
  }
}

function penOf(context, scene, layout, theme) {
  const { ink, isPlain, paper } = sceneColours(scene, theme);
  const isLegible = layout.cell >= LEGIBLE * layout.ratio;
  context.textAlign = "center";
  context.textBaseline = "middle";
  return { context, layout, theme, paper, inks: ink, isPlain, isLegible };
}

function paintTint({ context, layout, theme, inks, isPlain }, { colour, price }, x, y, part, most) {
  context.globalAlpha = 0.2 + (0.6 * Math.abs(price)) / most;
  context.fillStyle = price > 0 ? theme.earn : theme.pay;
  context.fillRect(x, y, layout.cell, part);
  context.globalAlpha = 1;
  if (isPlain) return;
  context.fillStyle = inks[colour - 1];
  context.fillRect(x, y, Math.max(2, Math.round(0.15 * layout.cell)), part);
}

/** Write a number as large as its part of the cell allows, on a tint or on the ink of a filled
 * cell.
 */
function paintNumber({ context, layout, theme, isPlain, paper }, price, x, y, part, ink) {
  const { cell } = layout;
  const text = printed(price);
  const size = Math.min(0.9 * part, 0.55 * cell, (1.5 * cell) / text.length);
  context.font = `${Math.round(size)}px ${theme.font}`;
  context.fillStyle = ink ? (isPlain ? paper : inkOn(ink)) : isPlain ? theme.ink : inkOn(paper);
  const shift = isPlain || ink ? 0 : 0.07 * cell;
  context.fillText(text, x + cell / 2 + shift, y + 0.53 * part, 0.92 * cell);
}

function paintCorner({ context, layout, theme }, row, column) {
  const { cell, left, top, ratio } = layout;
  const arm = 0.14 * cell;
  const [x, y] = [left + (column + 1) * cell - 0.1 * cell - arm, top + row * cell + 0.1 * cell];
  context.lineWidth = Math.max(1, ratio);
  context.strokeStyle = theme.soft;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + arm, y + arm);
  context.moveTo(x + arm, y);
  context.lineTo(x, y + arm);
  context.stroke();
}

/** Frame the cells that the best filling of a line fills. */
export function paintBest(context, scene, layout, theme) {
  const { ink, isPlain, paper } = sceneColours(scene, theme);
  const { cell, left, top, ratio } = layout;
  const inset = Math.max(1, 0.12 * cell);
  for (const { row, column, colour } of scene.prices.best) {
    const place = [left + column * cell + inset, top + row * cell + inset];
    for (const [width, style] of [
      [4.4, paper],
      [2.2, isPlain ? theme.accent : ink[colour - 1]],
    ]) {
      context.lineWidth = width * ratio;
      context.strokeStyle = style;
      context.beginPath();
      context.roundRect(...place, cell - 2 * inset, cell - 2 * inset, 0.16 * cell);
      context.stroke();
    }
  }
}
