// The rules of a puzzle in one dialog, with a worked example.

import { h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";

const NONOGRAM = {
  first:
    "Each number is a block of filled cells in its row or column. The blocks stand in this order, " +
    "with at least one empty cell between them.",
  firstInColours:
    "Each number is a block of filled cells of its colour in its row or column. The blocks stand in " +
    "this order. Blocks of one colour have at least one empty cell between them, blocks of " +
    "different colours may touch.",
  rules: [
    "A puzzle is solved when all rows and columns fit their numbers. Crosses are notes: this cell " +
      "stays empty.",
  ],
  lead: "The number 4 in a row of five cells:",
  example: "■ ■ ■ ■ ·   first place\n· ■ ■ ■ ■   last place\n? ■ ■ ■ ?   filled in both",
  tips: "The three cells are certain. Use them in their columns, and so on. Hint shows the next certain cells.",
};
const SLITHERLINK = {
  first: "Draw one closed loop along the edges of the cells. It never crosses or touches itself.",
  rules: [
    "A number tells how many of the four edges of its cell belong to the loop. Cells without a " +
      "number may have any.",
  ],
  lead: "A 0 beside a 3:",
  example: "+ x + - +\nx 0 x 3 |\n+ x + - +",
  tips: "The 0 has no edge of the loop, so the 3 has its three others. From both ends of an edge the loop goes on: if one way is left, it is certain.",
};

/** Show the rules of the puzzle's family. */
export function showRules({ family, palette }) {
  const shown = family === "slitherlink" ? SLITHERLINK : NONOGRAM;
  const first = (palette.length > 1 && shown.firstInColours) || shown.first;
  showDialog("Rules", [
    [first, ...shown.rules].map((rule) => h("p", {}, rule)),
    h("h3", {}, "Example"),
    h("p", {}, shown.lead),
    h("pre.rules-example", {}, shown.example),
    h("p", {}, shown.tips),
  ]);
}
