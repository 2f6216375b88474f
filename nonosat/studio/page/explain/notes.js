// Notes below the sentence of a step: the meaning of the marks on the board.

import { puzzleOf } from "../play/puzzle.js";
import { h } from "../ui/dom.js";
import { placeIn, storyOf } from "./model.js";
import { bestInWords } from "./prices.js";

const READ = {
  nonogram:
    "A cross is a cell known to be empty. Framed cells are new. A small dashed frame is the " +
    "assumption, dots and crosses of its colour are its consequences.",
  slitherlink:
    "A line is on the path, a cross is an edge off it. Dark bands are new; their reasons have " +
    "pale bands and tints. Dashes and crosses in orange are the assumption and its " +
    "consequences.",
};
const CLASHING = " Clues in red frames contradict each other.";
const POINT =
  "Point at a line's clue or sum to see its best filling; on the board R shows that of the " +
  "cursor's row, C that of its column.";

const priced = (isColoured) =>
  `The number of a cell is its price: if it is filled${isColoured ? " in the colour of its stripe" : ""}, ` +
  "its row earns the price and its column pays it. To the right is the maximum that each row can " +
  "earn, below the minimum that each column has to pay, and in the corner the sums of both.";

/** The notes: `elements`, and `show(state)`. */
export function createNotes() {
  const line = h("p.small-text.explain-line", { "aria-live": "polite", hidden: true });
  const read = h("p.muted.small-text.explain-read");
  return {
    line,
    read,
    show({ doc, explain }) {
      const { family, palette } = puzzleOf(doc);
      const story = storyOf(explain);
      const { prices } = story.steps[placeIn(explain) - 1] ?? {};
      line.hidden = !prices;
      line.textContent = prices ? (explain.line ? bestInWords(prices, explain.line) : POINT) : "";
      read.textContent = prices
        ? priced(palette.length > 1)
        : READ[family] + (story.clash.length ? CLASHING : "");
    },
  };
}
