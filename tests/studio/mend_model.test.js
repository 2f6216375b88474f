// Repairs: from an answer to proposals, sentences, and the next document.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as model from "../../nonosat/studio/page/mend/model.js";
import { fromPicture, fromPuzzle, rowsOfText } from "../../nonosat/studio/page/state/document.js";

const doc = fromPicture({ picture: ["a.a.", ".a.a"], colours: { a: "#000000" } });
const answer = {
  repairs: [
    { changes: [[0, 2, "."]], picture: ["#...", ".#.#"] },
    {
      changes: [
        [1, 2, "#"],
        [0, 0, "."],
      ],
      picture: ["..#.", ".###"],
    },
  ],
  least: 1,
  complete: true,
};

test("a repair changes these cells and no others; the document before stays as it was", () => {
  const [first, second] = model.proposalsOf(answer, doc);
  assert.deepEqual(rowsOfText(model.repaired(doc, first)), ["a...", ".a.a"]);
  assert.deepEqual(rowsOfText(model.repaired(doc, second)), ["..a.", ".aaa"]);
  assert.deepEqual(rowsOfText(doc), ["a.a.", ".a.a"]);
});

test("only a repair as small as the proven bound is called smallest", () => {
  const [first, second] = model.proposalsOf(answer, doc);
  assert.ok(model.isProven(answer, first));
  assert.ok(!model.isProven(answer, second));
  assert.ok(!model.isProven({ least: 0 }, first));
  assert.equal(model.proofInWords(answer, first), "Proved smallest: no repair changes fewer cells.");
  assert.equal(model.proofInWords(answer, second), "At least 1 cell must change; this changes 2.");
});

test("repairs are numbered from 1", () => {
  const [first, second] = model.proposalsOf(answer, doc);
  assert.equal(
    model.proposalInWords(first, false),
    "Changes 1 cell: row 1, column 3 becomes empty.",
  );
  assert.match(
    model.proposalInWords(second, false),
    /^Changes 2 cells: row 2, column 3 becomes filled; row 1, column 1/,
  );
  const many = {
    changes: Array.from({ length: 6 }, (_, row) => ({ row, column: 0, colour: 2 })),
    clues: [],
  };
  assert.match(model.proposalInWords(many, true), /becomes colour 2; and 2 more\.$/);
});

test("a repair of a Slitherlink changes clues", () => {
  const loop = fromPuzzle({ family: "slitherlink", rows: ["..", "3."] });
  const [one] = model.proposalsOf({ repairs: [{ taken: [[1, 0, 3]], added: [[0, 1, 2]] }] }, loop);
  assert.deepEqual(model.repaired(loop, one).puzzle.rows, [".2", ".."]);
  assert.match(
    model.proposalInWords(one, false),
    /row 2, column 1 loses its clue; row 1, column 2 gets the clue 2/,
  );
});

test("a repair of a puzzle of clues alone makes a picture", () => {
  const clues = fromPuzzle({
    width: 2,
    height: 1,
    rows: [[[1, "x"]]],
    columns: [[], [[1, "x"]]],
    colors: { y: "#ff0000", x: "#00ff00" },
  });
  const [one] = model.proposalsOf(
    { repairs: [{ changes: [[0, 0, "x"]], picture: ["x."] }], legend: { y: "y", x: "x" } },
    clues,
  );
  const next = model.repaired(clues, one);
  assert.equal(next.kind, "picture");
  assert.deepEqual(rowsOfText(next), ["b."]);
  assert.deepEqual(next.palette, ["#ff0000", "#00ff00"]);
});

test("protected cells are kept", () => {
  const mask = Uint8Array.from([0, 1, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(model.keptCells({ ...doc, protected: mask }), [
    [0, 1],
    [1, 3],
  ]);
  assert.deepEqual(model.keptCells(doc), []);
});

test("proposals are shown in turn and dropped when the drawing changes", () => {
  const state = { doc };
  const asked = model.reduce(model.initial(), { type: "mend/requested" }, state);
  const proposals = model.proposalsOf(answer, doc);
  const found = model.reduce(
    asked,
    { type: "mend/found", puzzle: doc.cells, proposals, least: 1, complete: true },
    state,
  );
  assert.equal(found.status, "found");
  assert.equal(model.reduce(found, { type: "mend/step", by: -1 }, state).at, 1);
  const other = { doc: { ...doc, cells: doc.cells.slice() } };
  assert.equal(model.reduce(found, { type: "edit" }, other).status, "idle");
  assert.equal(model.reduce(found, { type: "title" }, { doc: { ...doc, title: "new" } }), found);
  const late = model.reduce(
    model.initial(),
    { type: "mend/found", puzzle: doc.cells, proposals },
    state,
  );
  assert.equal(late.status, "idle");
});

test("results during the search for repairs are reported, and the best so far can be shown", () => {
  const state = { doc };
  const asked = model.reduce(model.initial(), { type: "mend/requested" }, state);
  const [, best] = model.proposalsOf(answer, doc);
  const progress = { type: "mend/progress", puzzle: asked.puzzle, best, least: 1 };
  assert.equal(model.reduce(asked, { type: "mend/best" }, state), asked, "nothing is known yet");
  const known = model.reduce(asked, progress, state);
  assert.deepEqual([known.status, known.known.least], ["searching", 1]);
  const shown = model.reduce(known, { type: "mend/best" }, state);
  assert.deepEqual([shown.status, shown.proposals, shown.complete], ["found", [best], false]);
  assert.equal(model.isProven(shown, best), false);
  assert.equal(model.reduce(model.initial(), progress, state).status, "idle", "it came too late");
});

test("progress in words has the bound and the best", () => {
  const best = { changes: [1, 2, 3], clues: [] };
  const told = (known, isMultiple = false) => model.progressInWords(known, isMultiple);
  assert.equal(told({ best: null, least: 0 }), "No repair found yet.");
  assert.equal(
    told({ best: null, least: 0 }, true),
    "At least 1 cell must change; no repair found yet.",
  );
  assert.equal(
    told({ best, least: 2 }),
    "At least 2 cells must change; the best so far changes 3.",
  );
  assert.equal(told({ best, least: 0 }), "The best so far changes 3.");
});
