// Price steps: the table on the board, the selected line, and their texts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { scene } from "../../nonosat/studio/page/explain/index.js";
import * as model from "../../nonosat/studio/page/explain/model.js";
import { bestInWords, pricesAfter } from "../../nonosat/studio/page/explain/prices.js";
import { linesAfter, marksAfter, wholeStory } from "../../nonosat/studio/page/explain/steps.js";
import { numberedLines, printed } from "../../nonosat/studio/page/board/far.js";
import { pricesByCell } from "../../nonosat/studio/page/board/prices.js";
import { describeCell } from "../../nonosat/studio/page/board/words.js";
import { puzzleOf } from "../../nonosat/studio/page/play/puzzle.js";
import { fromPuzzle } from "../../nonosat/studio/page/state/document.js";

const doc = fromPuzzle({ width: 3, height: 1, rows: [[1]], columns: [[], [1], []] });
const puzzle = puzzleOf(doc);
const prices = {
  table: [
    [0, 0, "#", -4],
    [0, 1, "#", 2],
  ],
  earned: 2,
  paid: -2,
  best: [
    { row: 0, amount: 2, filling: ".#." },
    { column: 0, amount: 0, filling: "." },
    { column: 1, amount: 2, filling: "#" },
  ],
};
const steps = [
  { technique: "prices", lines: [{ row: 0 }], settled: [[0, 0, "."]], sentence: "", prices },
  { technique: "ranges", lines: [{ row: 0 }], settled: [[0, 1, "#"]], sentence: "" },
];
const story = wholeStory({ steps });

test("the board has each price, the best result of each line, and the sum", () => {
  const shown = pricesAfter(puzzle, story, 1, null);
  assert.deepEqual(shown.table, [
    { row: 0, column: 0, price: -4, colour: 1 },
    { row: 0, column: 1, price: 2, colour: 1 },
  ]);
  assert.deepEqual(shown.sums, [
    { row: 0, amount: 2 },
    { column: 0, amount: 0 },
    { column: 1, amount: 2 },
  ]);
  assert.deepEqual([shown.earned, shown.paid, shown.best], [2, -2, []]);
  assert.equal(pricesAfter(puzzle, story, 0, null), null);
  assert.equal(pricesAfter(puzzle, story, 2, null), null);
  assert.deepEqual(marksAfter(puzzle, story, 1), [
    { row: 0, column: 0, kind: "settled", isThin: true },
  ]);
});

test("a selected line shows its best filling, and it alone is highlighted", () => {
  assert.deepEqual(pricesAfter(puzzle, story, 1, { row: 0 }).best, [
    { row: 0, column: 1, colour: 1 },
  ]);
  assert.deepEqual(pricesAfter(puzzle, story, 1, { column: 1 }).best, [
    { row: 0, column: 1, colour: 1 },
  ]);
  assert.deepEqual(linesAfter(story, 1), []);
  assert.deepEqual(linesAfter(story, 1, { column: 1 }), [{ column: 1, kind: "lit" }]);
  assert.equal(bestInWords(prices, { row: 0 }), "Row 1 can earn 2 at most: 2 in column 2.");
  assert.equal(bestInWords(prices, { column: 1 }), "Column 2 has to pay 2 at least: 2 in row 1.");
  assert.match(bestInWords(prices, { column: 0 }), /at least: no cell of its best filling has a price/);
});

test("a line is selected until the step is left", () => {
  const act = (slice, action) => model.reduce(slice, action, { doc });
  let slice = act(model.initial(), { type: "explain/requested" });
  slice = act(slice, { type: "explain/found", shape: doc.puzzle, found: { verdict: "unique", steps } });
  const look = (line) => (slice = act(slice, { type: "explain/line", line }));
  assert.equal(look({ row: 0 }).line, null); // no prices yet
  slice = act(slice, { type: "explain/at", at: 1 });
  assert.deepEqual(look({ row: 0 }).line, { row: 0 });
  assert.deepEqual(look({ column: 2 }).line, { row: 0 }); // it has no prices
  const shown = scene({ doc, explain: slice, cursor: null });
  assert.deepEqual([...shown.crosses], [0, 0, 0]); // a price in place of the cross
  assert.equal(act(slice, { type: "explain/at", at: 2 }).line, null);
});

test("prices and sums are announced at the cursor", () => {
  const shown = {
    ...{ height: 1, width: 3, palette: ["#000000"], cells: Uint8Array.from([0, 255, 255]) },
    ...{ crosses: null, rowClues: [[{ length: 1 }]], columnClues: [[], [{ length: 1 }], []] },
    ...{ marks: [{ row: 0, column: 0, kind: "tried", colour: 0 }], lines: [{ row: 0, kind: "clash" }] },
    prices: pricesAfter(puzzle, story, 1, null),
  };
  assert.equal(
    describeCell(shown, 0, 0),
    "Row 1, column 1: empty, would be empty, price -4. row clue 1, contradicts others, " +
      "can earn 2 at most; column clue empty, has to pay 0 at least.",
  );
});

test("a cell may have a price for each colour", () => {
  const table = [
    { row: 0, column: 1, colour: 1, price: 3 },
    { row: 0, column: 1, colour: 2, price: -4 },
  ];
  assert.deepEqual(
    [...pricesByCell({ table }, 3)],
    [
      [
        1,
        [
          { colour: 1, price: 3 },
          { colour: 2, price: -4 },
        ],
      ],
    ],
  );
  assert.equal(printed(-4), "\u22124");
});

test("lines are numbered from 1, as far as there is room", () => {
  const numbers = (...asked) => numberedLines(...asked).map((at) => at + 1);
  assert.deepEqual(numbers(6, 20, 10), [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(numbers(12, 5, 10), [1, 5, 10]);
  assert.deepEqual(numbers(12, 2, 10), [5, 10]);
  assert.deepEqual(numbers(40, 1, 10), [10, 20, 30, 40]);
  assert.deepEqual(numbers(3, 1, 10), []);
});
