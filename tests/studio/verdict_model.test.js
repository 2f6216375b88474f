// Verdicts: messages in any order, sentences, heat.

import assert from "node:assert/strict";
import { test } from "node:test";
import { breakdownOf, gradeText } from "../../nonosat/studio/page/verdict/breakdown.js";
import * as model from "../../nonosat/studio/page/verdict/model.js";

const after = (slice, ...actions) => actions.reduce(model.reduce, slice);
const asked = (edit) => ({ type: "verdict/requested", edit });
const told = (message) => ({ type: "verdict/received", message });

function* orders(list) {
  if (!list.length) yield [];
  for (const one of list)
    for (const rest of orders(list.filter((other) => other !== one))) yield [one, ...rest];
}

test("messages of one edit give the same result in any order", () => {
  const messages = [
    { edit: 4, verdict: "multiple", differing: [[0, 1]], complete: false },
    {
      edit: 4,
      differing: [
        [0, 1],
        [0, 2],
      ],
      complete: true,
    },
    { edit: 4, count: "3", exact: false },
    { edit: 4, count: "12", exact: true },
    { edit: 4, done: true },
  ];
  for (const order of orders(messages)) {
    const slice = after(model.initial(), asked(4), ...order.map(told));
    assert.equal(slice.fresh, null);
    assert.deepEqual(slice.shown, {
      verdict: "multiple",
      differing: [
        [0, 1],
        [0, 2],
      ],
      complete: true,
      count: "12",
      exact: true,
      done: true,
    });
  }
});

test("the last verdict stays, marked as old, until the new one arrives", () => {
  let slice = after(model.initial(), asked(1), told({ edit: 1, verdict: "unique", seconds: 0.01 }));
  assert.equal(model.current(slice).verdict, "unique");
  slice = after(
    slice,
    asked(2),
    told({ edit: 2, looking: 0.3 }),
    told({ edit: 2, rating: { name: "easy" } }),
  );
  assert.equal(slice.shown.verdict, "unique");
  assert.ok(model.isOld(slice));
  assert.equal(model.current(slice), null);
  slice = after(slice, told({ edit: 2, verdict: "multiple" }));
  assert.deepEqual(slice.shown, { verdict: "multiple", looking: 0.3, rating: { name: "easy" } });
});

test("messages of other edits, late answers and late clocks change nothing", () => {
  const slice = after(model.initial(), asked(1), asked(2));
  const late = [
    told({ edit: 1, verdict: "unique" }),
    { type: "verdict/view", edit: 1, view: "beliefs", data: {} },
    { type: "verdict/slow", edit: 1 },
    { type: "verdict/failed", edit: 1, message: "no" },
  ];
  for (const action of late) assert.equal(model.reduce(slice, action), slice);
  const judged = after(slice, told({ edit: 2, verdict: "unique" }));
  assert.equal(model.reduce(judged, { type: "verdict/slow", edit: 2 }), judged);
});

test("details of the same verdict stay until new ones arrive, or a while", () => {
  const first = [
    asked(1),
    told({ edit: 1, verdict: "unique" }),
    told({ edit: 1, rating: { name: "easy" } }),
  ];
  let slice = after(model.initial(), ...first, asked(2), told({ edit: 2, verdict: "unique" }));
  assert.equal(model.displayed(slice).rating.name, "easy");
  assert.equal(slice.shown.rating, undefined);
  const rated = after(slice, told({ edit: 2, rating: { name: "hard" } }));
  assert.equal(model.displayed(rated).rating.name, "hard");
  assert.equal(rated.carried, null);
  assert.equal(model.displayed(after(slice, { type: "verdict/slow", edit: 2 })).rating, undefined);
  assert.equal(model.displayed(after(slice, told({ edit: 2, done: true }))).rating, undefined);
  slice = after(
    slice,
    asked(3),
    told({ edit: 3, verdict: "multiple", differing: [[0, 0]], complete: false }),
  );
  assert.equal(slice.carried, null);
});

test("cells that differ and their number stay until all new ones are known", () => {
  const all = {
    differing: [
      [0, 0],
      [0, 1],
    ],
    complete: true,
  };
  let slice = after(
    model.initial(),
    asked(1),
    told({ edit: 1, verdict: "multiple", ...all, count: "2", exact: true }),
  );
  slice = after(
    slice,
    asked(2),
    told({ edit: 2, verdict: "multiple", differing: [[5, 5]], complete: false }),
  );
  assert.deepEqual(model.displayed(slice).differing, all.differing);
  assert.equal(model.displayed(slice).count, "2");
  slice = after(
    slice,
    told({
      edit: 2,
      differing: [
        [5, 5],
        [5, 6],
      ],
      complete: true,
    }),
  );
  assert.deepEqual(model.displayed(slice).differing, [
    [5, 5],
    [5, 6],
  ]);
  assert.equal(model.displayed(slice).count, "2");
  slice = after(slice, told({ edit: 2, count: "3", exact: true }));
  assert.equal(model.displayed(slice).count, "3");
  assert.equal(slice.carried, null);
});

test("a new edit ends the current view", () => {
  const slice = after(
    model.initial(),
    asked(1),
    { type: "verdict/view", edit: 1, view: "prices", data: 1 },
    asked(2),
  );
  assert.equal(slice.view, null);
});

test("verdicts are shown in sentences", () => {
  const words = model.verdictInWords;
  assert.equal(
    words({ verdict: "unique", seconds: 0.0034 }).sentence,
    "The clues have exactly one solution, proved in 3 ms.",
  );
  assert.equal(
    words({
      verdict: "multiple",
      count: "12",
      exact: true,
      differing: [
        [0, 0],
        [0, 1],
      ],
      complete: true,
    }).sentence,
    "The clues have 12 solutions. 2 cells differ between them.",
  );
  assert.equal(
    words({ verdict: "multiple", count: "1234567", exact: false, differing: [[0, 0]] }).sentence,
    "The clues have at least 1\u202f234\u202f567 solutions. At least 1 cell differs between them.",
  );
  assert.match(
    words({
      verdict: "multiple",
      differing: [
        [0, 0],
        [0, 0, 0, 1],
      ],
      complete: true,
    }).sentence,
    / 1 edge differs between them\.$/,
  );
  assert.equal(words({ verdict: "unsolvable", sentence: "Too much." }).sentence, "Too much.");
  assert.equal(
    words({ verdict: "unknown", reason: "time limit" }).sentence,
    "No verdict within the limits: time limit.",
  );
  assert.equal(words({ error: { message: "Row 4 is too long." } }).sentence, "Row 4 is too long.");
  assert.equal(words(null).tone, "plain");
});

test("numbers and seconds are written as people write them", () => {
  assert.equal(model.numberText("999"), "999");
  assert.equal(model.numberText("1000"), "1\u202f000");
  const twenty = "2\u202f432\u202f902\u202f008\u202f176\u202f640\u202f000"; // 20!
  assert.equal(model.numberText("2432902008176640000"), twenty);
  assert.equal(model.numberText("15511210043330985984000000"), "about 1.5 × 10²⁵"); // 25!
  assert.deepEqual([6, 2.1, null, undefined].map(gradeText), ["6.0", "2.1", "", ""]);
  assert.equal(model.secondsText(0.0002), "under 1 ms");
  assert.equal(model.secondsText(1.24), "1.2 s");
  assert.equal(model.secondsText(42.3), "42 s");
});

test("lines are named from 1, rows first", () => {
  const sentence = (lines) => model.verdictInWords({ verdict: "unsolvable", lines }).sentence;
  assert.match(
    sentence([{ row: 0 }, { column: 3 }, { row: 2 }, { row: 4 }]),
    /: rows 1, 3 and 5 and column 4\.$/,
  );
  assert.match(sentence([{ column: 1 }]), /: column 2\.$/);
  assert.deepEqual(model.wrongLines({ error: { line: { row: 3 } } }), [{ row: 3, kind: "wrong" }]);
});

test("beliefs of all colours together are the probability of a filled cell", () => {
  assert.deepEqual(
    [
      ...model.filledOf({
        probabilities: {
          "#": [
            [0, 1],
            [0.5, 0.75],
          ],
        },
      }),
    ],
    [0, 1, 0.5, 0.75],
  );
  assert.deepEqual(
    [...model.filledOf({ probabilities: { a: [[0.25, 1]], b: [[0.5, 0]] } })],
    [0.75, 1],
  );
});

test("prices are shown as heat by size and sign, with a sentence on what they prove", () => {
  assert.deepEqual(
    [
      ...model.heatOfPrices([
        [
          [0, -4],
          [2, 0],
        ],
      ]),
    ],
    [0.5, 0, 0.75, 0.5],
  );
  assert.deepEqual([...model.heatOfPrices([[[1, 0]], [[1, -2]]])], [1, 0]);
  assert.equal(model.priceLayers({ prices: [[0, 0]] }), null);
  assert.equal(model.priceLayers({ prices: null }), null);
  assert.deepEqual(model.priceLayers({ prices: [[0]], layers: [[[0]], [[1]]] }), [[[0]], [[1]]]);
  assert.match(
    model.pricesInWords({ prices: [[1]], bound: 2 }),
    /at most 2 cells\. Two solutions differ in at least 4/,
  );
  assert.match(model.pricesInWords({ prices: [[1]], bound: 7 }), /does not prove/);
  assert.match(model.pricesInWords({ prices: [[0]], bound: 0 }), /needs no prices/);
  assert.match(
    model.pricesInWords({ prices: [[3]], bound: 0 }),
    /differs in no cell: there is only one/,
  );
  assert.equal(model.pricesInWords({ prices: null, why: "It has colours." }), "It has colours.");
});

test("a rating is a breakdown with shares of cells", () => {
  const rating = { steps: { ranges: 3, overlap: 1 }, cells: { ranges: 9, overlap: 3 } };
  assert.deepEqual(breakdownOf(rating), [
    { technique: "ranges", steps: 3, cells: 9, share: 0.75 },
    { technique: "overlap", steps: 1, cells: 3, share: 0.25 },
  ]);
});

test("the other solution is the one that was not drawn", () => {
  const boards = [Uint8Array.of(1, 0, 0, 1, 2, 0), Uint8Array.of(0, 1, 1, 0, 2, 0)];
  for (const order of [boards, [...boards].reverse()]) {
    const { cells, differing } = model.otherSolution(order, boards[0], 2);
    assert.equal(cells, boards[1]);
    assert.deepEqual(differing, [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]);
  }
  assert.deepEqual(model.otherSolution(boards, null, 2), { cells: boards[0], differing: null });
});
