// Keys that move a cursor over a board.

/**
 * The place that a key moves to.
 *
 * @returns {{row: number, column: number}|null} Null for a key that does not move.
 */
export function cursorAfter({ row, column }, { height, width }, key, { ctrl = false } = {}) {
  const by = ctrl ? 5 : 1;
  const moves = {
    ArrowUp: [row - by, column],
    ArrowDown: [row + by, column],
    ArrowLeft: [row, column - by],
    ArrowRight: [row, column + by],
    Home: [ctrl ? 0 : row, 0],
    End: [ctrl ? height - 1 : row, width - 1],
    PageUp: [row - 10, column],
    PageDown: [row + 10, column],
  };
  if (!Object.hasOwn(moves, key)) return null;
  const within = (value, size) => Math.max(0, Math.min(size - 1, value));
  return { row: within(moves[key][0], height), column: within(moves[key][1], width) };
}
