// A step by prices: its table on the board, and the earnings or payment of a line in words.

import { printed } from "../board/far.js";
import { valueOf } from "../play/puzzle.js";

/**
 * The part of a scene for a step by prices; null for other steps.
 *
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {object} story
 * @param {number} at
 * @param {object|null} line `{ row }` or `{ column }`, whose best filling is shown.
 * @returns {object|null} `table` of `{ row, column, colour, price }`, `sums` of `{ row, amount }`
 *   and `{ column, amount }`, `best` of `{ row, column, colour }`, `earned`, `paid`.
 */
export function pricesAfter(puzzle, story, at, line) {
  const prices = story.steps[at - 1]?.prices;
  if (!prices) return null;
  const colourOf = (sign) => valueOf(sign, puzzle, story.legend);
  const own = bestOf(prices, line);
  const filling = [...(own?.filling ?? "")].map((sign, place) => ({
    row: own.row ?? place,
    column: own.column ?? place,
    colour: colourOf(sign),
  }));
  return {
    table: prices.table.map(([row, column, sign, price]) => ({
      ...{ row, column, price },
      colour: colourOf(sign),
    })),
    sums: (prices.best ?? []).map(({ filling: _, ...sum }) => sum),
    best: filling.filter(({ colour }) => colour),
    earned: prices.earned,
    paid: prices.paid,
  };
}

function bestOf({ best = [] }, line) {
  return line && best.find(({ row, column }) => row === line.row && column === line.column);
}

/** True if a step has prices in a line. */
export function hasPrices(step, line) {
  return Boolean(step?.prices && bestOf(step.prices, line));
}

/** The prices of a line's best filling, by which it earns its maximum or pays its minimum, in
 * words.
 */
export function bestInWords(prices, line) {
  const own = bestOf(prices, line);
  const isRow = own.row !== undefined;
  const heading = isRow
    ? `Row ${own.row + 1} can earn ${printed(own.amount)} at most`
    : `Column ${own.column + 1} has to pay ${printed(own.amount)} at least`;
  const parts = prices.table
    .filter(([row, column, sign]) =>
      isRow
        ? row === own.row && own.filling[column] === sign
        : column === own.column && own.filling[row] === sign,
    )
    .map(([row, column, , price]) =>
      isRow
        ? `${printed(price)} in column ${column + 1}`
        : `${printed(price)} in row ${row + 1}`,
    );
  return `${heading}: ${parts.length ? parts.join(", ") : "no cell of its best filling has a price"}.`;
}
