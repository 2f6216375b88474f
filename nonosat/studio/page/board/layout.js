// Layout of a board on its canvas: pure arithmetic in device pixels.
//
// Clues stay at the left and top edge while the board moves. Gutters are as wide as the longest
// clue needs, at most 45 % of the canvas; "…" marks the omitted part of a longer one.

const LARGEST = 56; // CSS pixels of a cell, when all of the board is shown
const SMALLEST = 3;
const MOST_OF_VIEW = 0.45;
export const DIGIT = 0.58; // width of a digit, in font sizes
const GAP = 0.5; // between two numbers of a row's clue
const PITCH = 1.18; // from a number of a column's clue to the next one

/** Font size of clues for cells of this size. */
function fontOf(cell, ratio) {
  return Math.min(15 * ratio, Math.max(0.62 * cell, Math.min(0.94 * cell, 11 * ratio)));
}

const digits = (length) => (length === null ? 1 : String(length).length);

/** Font sizes that a row's clue takes from left to right. */
export function widthOfClue(clue, chips = false) {
  let width = 0;
  for (const { length } of clue)
    width += chips
      ? Math.max(1.25, digits(length) * DIGIT + 0.5) + 0.15
      : digits(length) * DIGIT + GAP;
  return clue.length ? width : DIGIT + GAP;
}

/** The sizes that the gutters need: `{ across, down }`, in font sizes. */
export function demandOf(scene) {
  const chips = scene.palette.length > 1;
  let [across, down] = [DIGIT + GAP, 1];
  for (const clue of scene.rowClues) if (clue) across = Math.max(across, widthOfClue(clue, chips));
  for (const clue of scene.columnClues) if (clue) down = Math.max(down, clue.length);
  return { across, down: down * (chips ? 1.4 : PITCH) };
}

/**
 * The gutters' demand for a picture that is being drawn: some blocks more than it has, in steps;
 * fewer in a small view.
 */
export function roomyDemand(scene, isSmall = false) {
  const demand = demandOf(scene);
  const blocks = (cells) =>
    Math.min(Math.ceil(cells / 2), isSmall ? 3 : 3 + Math.ceil(cells / 6), 12);
  const chips = scene.palette.length > 1;
  const [wide, high] = chips ? [1.5, 1.4] : [DIGIT * 1.2 + GAP, PITCH];
  const step = (value, least, by) => Math.max(least, Math.ceil(value / by - 1e-9) * by);
  return {
    across: step(demand.across, blocks(scene.width) * wide, 3 * wide),
    down: step(demand.down, blocks(scene.height) * high, 3 * high),
  };
}

/** Gutters for a cell size: `{ font, left, top }`, device pixels. */
function guttersAt(cell, demand, view, ratio) {
  const font = fontOf(cell, ratio);
  const pad = Math.round(0.5 * font);
  const left = Math.min(
    Math.ceil(demand.across * font) + pad,
    Math.floor(view.width * MOST_OF_VIEW),
  );
  const top = Math.min(Math.ceil(demand.down * font) + pad, Math.floor(view.height * MOST_OF_VIEW));
  return { font, left, top };
}

const READABLE = 12; // CSS pixels of a cell that can be hit and counted
const TINY = 8; // below this size a long board is scrolled rather than shown whole
const UNREADABLE = 5; // below this size any board is

/**
 * The initial cell size: the whole board is visible; of a board whose cells would be unreadable,
 * and of a long one (200 x 1) whose cells would be tiny, a part is shown at a readable size.
 */
export function firstCell(size, demand, view, ratio) {
  const fitting = fittingCell(size, demand, view, ratio);
  if (fitting >= TINY * ratio) return fitting;
  const readable = Math.round(READABLE * ratio);
  if (demand && fitting < UNREADABLE * ratio) return readable;
  const { across, down } = edgesAt(readable, size, demand, view, ratio);
  const isLong =
    across + size.width * readable + 2 <= view.width ||
    down + size.height * readable + 2 <= view.height;
  return isLong ? readable : fitting;
}

const NO_GUTTER = { font: 0, left: 0, top: 0 };
const NOTHING_FAR = { font: 0, number: 0, right: 0, below: 0 };

/**
 * The content at the far side of a scene's cells, right and below: the numbers of lines and then
 * the sums that lines earn or pay.
 *
 * @returns {{digits: number, sum: number}|null} Characters of either; null without content.
 */
export function farOf({ height, width, isNumbered, prices }) {
  if (!isNumbered) return null;
  const lengths = (prices?.sums ?? []).map(({ amount }) => String(amount).length);
  return { digits: String(Math.max(height, width)).length, sum: Math.max(0, ...lengths) };
}

/** The far side for a cell size: `{ font, number, right, below }`, device pixels. */
function farAt(cell, far, ratio) {
  if (!far) return NOTHING_FAR;
  const font = Math.round(Math.max(9 * ratio, Math.min(12 * ratio, 0.6 * cell)));
  const number = Math.ceil((0.6 + far.digits * DIGIT) * font);
  const sum = far.sum ? Math.ceil((0.8 + far.sum * 1.1 * DIGIT) * font) : 0;
  return { font, number, right: number + sum, below: Math.ceil((far.sum ? 2.9 : 1.5) * font) };
}

/** The space around the cells: gutters, or the margin of a loop, and the far side. */
function edgesAt(cell, { far }, demand, view, ratio) {
  const { left, top } = demand
    ? guttersAt(cell, demand, view, ratio)
    : { left: cell, top: cell };
  const { right, below } = farAt(cell, far, ratio);
  return { across: left + right, down: top + below };
}

/** The largest cell size at which the whole board is visible. */
export function fittingCell(size, demand, view, ratio) {
  for (let cell = Math.round(LARGEST * ratio); cell > SMALLEST; cell -= 1) {
    const { across, down } = edgesAt(cell, size, demand, view, ratio);
    const fits =
      across + size.width * cell + 2 <= view.width && down + size.height * cell + 2 <= view.height;
    if (fits) return cell;
  }
  return SMALLEST;
}

/**
 * The layout of a board.
 *
 * @param {{height: number, width: number, far: object|null}} size Cells, and their far side by
 *   `farOf`.
 * @param {{across: number, down: number}|null} demand Of the gutters; null for none (loops).
 * @param {{height: number, width: number}} view The canvas, in device pixels.
 * @param {number} cell Device pixels of a cell, a whole number.
 * @param {{x: number, y: number}} scroll How far the board is moved to the left and up.
 */
export function layoutOf(size, demand, view, cell, scroll, ratio) {
  const gutters = demand ? guttersAt(cell, demand, view, ratio) : NO_GUTTER;
  const margin = demand ? 0 : Math.ceil(cell / 2);
  const [wide, high] = [size.width * cell + 2 * margin, size.height * cell + 2 * margin];
  const edge = 1; // the last line of the grid
  const far = farAt(cell, size.far, ratio);
  const free = {
    x: Math.max(0, view.width - gutters.left - far.right - wide - edge),
    y: Math.max(0, view.height - gutters.top - far.below - high - edge),
  };
  const pane = {
    left: gutters.left + Math.floor(free.x / 2),
    top: gutters.top + Math.floor(free.y / 2),
  };
  pane.width = Math.min(wide + edge, view.width - pane.left - far.right);
  pane.height = Math.min(high + edge, view.height - pane.top - far.below);
  const most = {
    x: Math.max(0, wide + edge - pane.width),
    y: Math.max(0, high + edge - pane.height),
  };
  const at = {
    x: Math.round(Math.min(Math.max(0, scroll.x), most.x)),
    y: Math.round(Math.min(Math.max(0, scroll.y), most.y)),
  };
  return {
    ...size,
    ratio,
    view,
    cell,
    gutters,
    far,
    pane,
    scroll: at,
    most,
    left: pane.left + margin - at.x,
    top: pane.top + margin - at.y,
    first: {
      row: Math.max(0, Math.floor((at.y - margin) / cell)),
      column: Math.max(0, Math.floor((at.x - margin) / cell)),
    },
    last: {
      row: Math.min(size.height - 1, Math.floor((at.y - margin + pane.height) / cell)),
      column: Math.min(size.width - 1, Math.floor((at.x - margin + pane.width) / cell)),
    },
  };
}

/**
 * The place of the board at a point of the canvas (device pixels).
 *
 * @returns {{row: number, column: number, inside: boolean}} `row` is -1 on the column clues and at
 *   the far side of columns, `column` -1 on those of rows; both are clamped to the board, `inside`
 *   is true if they were inside.
 */
export function placeAt(layout, x, y) {
  const { pane, far, cell, height, width } = layout;
  const row = Math.floor((y - layout.top) / cell);
  const column = Math.floor((x - layout.left) / cell);
  const within = (value, size) => Math.max(0, Math.min(size - 1, value));
  const isAcross = x >= pane.left && x < pane.left + pane.width && column >= 0 && column < width;
  const isDown = y >= pane.top && y < pane.top + pane.height && row >= 0 && row < height;
  const isBelow = y >= pane.top + pane.height && y < pane.top + pane.height + far.below;
  const isRight = x >= pane.left + pane.width && x < pane.left + pane.width + far.right;
  if (isAcross && !isDown && (y < pane.top || isBelow)) return { row: -1, column, inside: false };
  if (isDown && !isAcross && (x < pane.left || isRight)) return { row, column: -1, inside: false };
  return { row: within(row, height), column: within(column, width), inside: isAcross && isDown };
}

/** The smallest scroll that shows a cell. */
export function scrollTo(layout, row, column) {
  const { cell, scroll, pane } = layout;
  const along = (at, now, size) => {
    const [first, last] = [at * cell - cell, (at + 2) * cell];
    if (first < now) return first;
    return last > now + size ? last - size : now;
  };
  return { x: along(column, scroll.x, pane.width), y: along(row, scroll.y, pane.height) };
}

/** The scroll that keeps a place of the board at a point of the canvas when cells change their
 * size.
 */
export function scrollAround(layout, cell, x, y) {
  const by = cell / layout.cell;
  return {
    x: (x - layout.left) * by - (x - layout.pane.left),
    y: (y - layout.top) * by - (y - layout.pane.top),
  };
}
