// Games: strokes, undo, hints, mistakes, and when a puzzle is solved.

import assert from "node:assert/strict";
import { test } from "node:test";
import { initial, reduce, solves } from "../../nonosat/studio/page/play/model.js";
import {
  createProgress,
  packed,
  timeText,
  packedSteps,
  unpacked,
  unpackedSteps,
} from "../../nonosat/studio/page/play/progress.js";
import {
  nameOf,
  puzzleOf,
  rowsOf,
  signsOf,
  valueOf,
  whyUnplayable,
} from "../../nonosat/studio/page/play/puzzle.js";
import { textOfHint } from "../../nonosat/studio/page/play/panel.js";
import { dragged } from "../../nonosat/studio/page/play/strokes.js";
import { crossedOff } from "../../nonosat/studio/page/play/clues.js";
import { fromPicture, fromPuzzle } from "../../nonosat/studio/page/state/document.js";
import { createStorage } from "./helpers/browser.mjs";

const OPEN = 255;
const doc = fromPuzzle({
  width: 3,
  height: 3,
  rows: [[3], [1], [3]],
  columns: [[1, 1], [3], [1, 1]],
});
const state = { doc };
const play = (...actions) =>
  actions.reduce((slice, action) => reduce(slice, action, state), initial());
const begin = { type: "play/begin", name: "x", kept: null };
const down = (place, to = 1) => ({ type: "play/down", place, to });
const over = (place) => ({ type: "play/over", place });
const up = { type: "play/up" };
const text = ({ marks }) => Array.from(marks, (value) => (value === OPEN ? "?" : value)).join("");

test("a drag keeps to the line that it took first and is one step of history", () => {
  const drawn = play(begin, down(0), over(1), over(5), up);
  assert.equal(text(drawn), "111??????");
  assert.equal(drawn.past.length, 1);
  const undone = reduce(drawn, { type: "play/undo" }, state);
  assert.equal(text(undone), "?????????");
  assert.equal(text(reduce(undone, { type: "play/redo" }, state)), "111??????");
});

test("a drag back takes less, a cancelled one nothing", () => {
  assert.equal(text(play(begin, down(0), over(2), over(1), up)), "11???????");
  assert.equal(text(play(begin, down(0), over(2), { type: "play/cancel" })), "?????????");
});

test("a drag changes only cells equal to its first one", () => {
  assert.equal(text(play(begin, down(1, 0), up, down(0), over(2), up)), "101??????");
  assert.equal(text(play(begin, down(0), over(2), up, down(2, OPEN), over(0), up)), "?????????");
});

test("drags are straight", () => {
  assert.deepEqual(dragged({ row: 2, column: 2 }, { row: 2, column: 2 }, null), {
    cells: [{ row: 2, column: 2 }],
    axis: null,
  });
  const { cells, axis } = dragged({ row: 2, column: 2 }, { row: 0, column: 1 }, null);
  assert.equal(axis, "column");
  assert.deepEqual(cells, [
    { row: 2, column: 2 },
    { row: 1, column: 2 },
    { row: 0, column: 2 },
  ]);
});

test("any solution wins, by the clues alone", () => {
  const two = fromPuzzle({
    width: 2,
    height: 2,
    rows: [[1], [1]],
    columns: [[1], [1]],
    goal: "1001",
  });
  const puzzle = puzzleOf(two);
  let wins = 0;
  for (let number = 0; number < 16; number++) {
    const marks = Uint8Array.from([3, 2, 1, 0], (bit) => ((number >> bit) & 1 ? 1 : OPEN));
    wins += solves(puzzle, marks);
    assert.equal(solves(puzzle, marks), [0b1001, 0b0110].includes(number));
  }
  assert.equal(wins, 2);
});

test("the last cell wins; afterwards only a new start changes anything", () => {
  const won = play(begin, down(0), over(2), up, down(4), up, down(6), over(8), up);
  assert.ok(won.isSolved);
  assert.equal(reduce(won, down(3), state), won);
  assert.equal(reduce(won, { type: "play/undo" }, state), won);
  assert.equal(text(reduce(won, { type: "play/restart" }, state)), "?????????");
});

test("given cells are set and stay", () => {
  const given = fromPuzzle({
    width: 2,
    height: 1,
    rows: [[1]],
    columns: [[1], []],
    given: [[0, 1, 0]],
  });
  const slice = reduce(initial(), begin, { doc: given });
  assert.equal(text(slice), "?0");
  assert.equal(reduce(slice, down(1), { doc: given }), slice);
  const filled = reduce(slice, { type: "play/set", places: [0, 1], to: 1 }, { doc: given });
  assert.equal(text(filled), "10");
});

test("a hint lasts until its cells are marked", () => {
  const start = play(begin);
  const found = {
    wrong: [],
    sentence: "Row 1.",
    step: {
      technique: "ranges",
      lines: [{ row: 0 }],
      settled: [
        [0, 0, "#"],
        [0, 1, "#"],
      ],
    },
  };
  const hinted = reduce(start, { type: "play/hinted", found, marks: start.marks }, state);
  assert.deepEqual(hinted.hint.todo, [
    { place: 0, value: 1 },
    { place: 1, value: 1 },
  ]);
  const half = reduce(hinted, { type: "play/set", places: [0], to: 1 }, state);
  assert.ok(half.hint);
  assert.equal(reduce(half, { type: "play/set", places: [1], to: 1 }, state).hint, null);
});

test("a hint shows its lines, then its cells; a move elsewhere ends it", () => {
  const start = play(begin);
  const settled = [
    [0, 0, "#"],
    [0, 1, "#"],
  ];
  const step = { technique: "ranges", lines: [{ row: 0 }], settled };
  const found = { wrong: [], sentence: "Row 1: two cells.", step };
  const hinted = reduce(start, { type: "play/hinted", found, marks: start.marks }, state);
  assert.equal(textOfHint(hinted.hint), "The next cells follow from row 1.");
  const more = reduce(hinted, { type: "play/more" }, state);
  assert.equal(textOfHint(more.hint), "Row 1: two cells.");
  assert.equal(reduce(more, { type: "play/set", places: [8], to: 0 }, state).hint, null);
});

test("finished lines are crossed out, in the same step, until a cross is removed", () => {
  const options = { crosses: true, numbers: false };
  const crossed = play({ ...begin, options }, down(4), up);
  assert.equal(text(crossed), "???010???");
  assert.equal(text(reduce(crossed, { type: "play/undo" }, state)), "?????????");
  const removed = reduce(crossed, { type: "play/set", places: [3], to: OPEN }, state);
  assert.equal(text(removed), "????10???");
  assert.equal(text(play({ ...begin, options }, down(0), over(2), up)), "111??????");
});

test("a line that is completed by an erased cell is crossed out", () => {
  const options = { crosses: true, numbers: false };
  const move = (places, to) => ({ type: "play/set", places, to });
  const crossed = play({ ...begin, options }, move([3, 4], 1), move([3], OPEN));
  assert.equal(text(crossed), "???010???");
});

test("empty and finished lines are crossed out at the start and by the option", () => {
  const puzzle = fromPuzzle({ width: 2, height: 2, rows: [[2], []], columns: [[1], [1]] });
  const run = (...actions) =>
    actions.reduce((slice, action) => reduce(slice, action, { doc: puzzle }), initial());
  const options = { crosses: true, numbers: false };
  const started = run({ ...begin, options });
  assert.equal(text(started), "??00");
  assert.deepEqual([started.isBegun, started.past.length], [false, 0]);
  const kept = { marks: Uint8Array.of(1, OPEN, OPEN, OPEN), seconds: 0, past: [] };
  const resumed = run({ ...begin, options, kept });
  assert.deepEqual([text(resumed), resumed.isBegun], ["1?00", true]);
  const switched = [down(0), up, { type: "play/option", name: "crosses", value: true }];
  const crossed = run(begin, ...switched);
  assert.equal(text(crossed), "1?00");
  assert.equal(text(run(begin, ...switched, { type: "play/undo" })), "1???");
  const again = run({ ...begin, options }, down(0), up, { type: "play/restart" });
  assert.equal(text(again), "??00");
});

test("a new start is found after a reload, with its undo and without its time", () => {
  const again = play(begin, down(0), over(2), up, { type: "play/tick" }, { type: "play/restart" });
  const { marks, past, seconds } = again;
  const resumed = play({ ...begin, kept: { marks, past, seconds } });
  assert.deepEqual([text(resumed), resumed.seconds, resumed.isBegun], ["?????????", 0, false]);
  assert.equal(text(reduce(resumed, { type: "play/undo" }, state)), "111??????");
});

test("a new start is a step that is undone", () => {
  const again = play(begin, down(0), over(2), up, { type: "play/restart" });
  assert.equal(text(again), "?????????");
  assert.equal(text(reduce(again, { type: "play/undo" }, state)), "111??????");
});

test("steps are packed and come back, the oldest ones make room, others do not", () => {
  const { past } = play(begin, down(0), over(2), up, down(3, 0), up);
  assert.equal(packedSteps(past), "0,1,2:???:bbb 3:?:a");
  assert.deepEqual(unpackedSteps(packedSteps(past), 9), past);
  const last = unpackedSteps(packedSteps(Array(2000).fill(past[1])), 9);
  assert.ok(last.length > 300 && last.length < 2000);
  for (const bad of [undefined, 7, "x", "0:?:?b", "9:?:b", "0,1:?:b"])
    assert.deepEqual(unpackedSteps(bad, 9), []);
});

test("mistakes are shown on request, until they are changed; late answers are dropped", () => {
  const slice = play(begin, down(3), up);
  const found = { wrong: [[1, 0, "#"]], sentence: "" };
  const checked = reduce(slice, { type: "play/checked", found, marks: slice.marks }, state);
  assert.deepEqual(checked.wrong, [{ place: 3, value: 1 }]);
  assert.equal(checked.note, "1 mark is wrong: no solution has it.");
  assert.deepEqual(reduce(checked, { type: "play/undo" }, state).wrong, []);
  const late = reduce(slice, { type: "play/checked", found, marks: Uint8Array.of(1) }, state);
  assert.deepEqual(late.wrong, []);
});

test("mistakes that are shown at once change nothing else, and go with the option", () => {
  const slice = play(begin, down(3), up);
  const found = { wrong: [[1, 0, "#"]], sentence: "" };
  const mistaken = reduce(slice, { type: "play/mistaken", found, marks: slice.marks }, state);
  assert.deepEqual(mistaken, { ...slice, wrong: [{ place: 3, value: 1 }] });
  const late = { type: "play/mistaken", found, marks: Uint8Array.of(1) };
  assert.equal(reduce(slice, late, state), slice);
  const off = { type: "play/option", name: "mistakes", value: false };
  assert.deepEqual(reduce(mistaken, off, state).wrong, []);
});

test("time runs from the first mark to the last", () => {
  const tick = { type: "play/tick" };
  assert.equal(play(begin, tick, tick).seconds, 0);
  assert.equal(play(begin, down(0), up, tick, tick).seconds, 2);
  assert.equal(timeText(187), "3:07");
  assert.equal(timeText(3729), "1:02:09");
});

test("another puzzle ends a game, a title does not", () => {
  const slice = play(begin, down(0), up);
  assert.equal(reduce(slice, { type: "title" }, { doc: { ...doc, title: "New" } }), slice);
  assert.equal(
    reduce(slice, { type: "edit" }, { doc: fromPuzzle({ ...doc.puzzle, rows: [[3], [], [3]] }) })
      .marks,
    null,
  );
});

test("a loop is drawn edge by edge and won when it closes", () => {
  const loop = fromPuzzle({ family: "slitherlink", rows: ["4."] });
  const all = [begin, down(0), up, down(2), up, down(4), up, down(5), up];
  const slices = all.map((_, at) =>
    all.slice(0, at + 1).reduce((slice, action) => reduce(slice, action, { doc: loop }), initial()),
  );
  assert.ok(slices.at(-1).isSolved);
  assert.ok(!slices.at(-3).isSolved);
});

test("unchanged clues stay the same objects", () => {
  const puzzle = puzzleOf(doc);
  const marks = new Uint8Array(9).fill(OPEN);
  const before = crossedOff(puzzle, marks);
  marks.set([1, 1, 1]);
  const after = crossedOff(puzzle, marks);
  assert.equal(after.rowClues[1], before.rowClues[1]);
  assert.equal(after.rowClues[0][0].done, true);
  assert.equal(before.rowClues[0][0].done, false);
});

test("marks are packed and restored, other texts are refused", () => {
  for (const marks of [[], [OPEN], [0, 0, 0, 1, 1, 16, OPEN, OPEN], Array(300).fill(OPEN)]) {
    assert.deepEqual([...unpacked(packed(marks))], marks);
  }
  assert.equal(packed(Array(300).fill(OPEN)), "300?");
  for (const bad of [null, 7, "z", "3", "12!"]) assert.equal(unpacked(bad), null);
});

test("progress is kept by name; the oldest games make room", () => {
  let now = 0;
  const storage = createStorage();
  storage.setItem("other", "stays");
  const progress = createProgress(storage, () => (now += 1));
  for (let at = 0; at < 205; at++)
    assert.ok(progress.save(`p${at}`, { marks: [1, OPEN], seconds: at }));
  assert.equal(progress.load("p4"), null);
  assert.deepEqual(progress.load("p5"), {
    marks: Uint8Array.of(1, OPEN),
    past: [],
    seconds: 5,
    at: 6,
  });
  assert.equal(storage.getItem("other"), "stays");
  progress.forget("p5");
  assert.equal(progress.load("p5"), null);
  storage.setItem("nonosat-play-bad", "{");
  assert.equal(progress.load("bad"), null);
  const full = createProgress(createStorage(10), Date.now);
  assert.equal(full.save("x", { marks: [], seconds: 0 }), false);
  const none = createProgress(null, Date.now);
  assert.deepEqual([none.load("x"), none.save("x", { marks: [] })], [null, false]);
});

test("the same clues have the same name, drawn or typed; others have others", () => {
  const drawn = fromPicture({ picture: ["aaa", ".a.", "aaa"], colours: { a: "#123456" } }, "Title");
  assert.equal(nameOf(puzzleOf(drawn)), nameOf(puzzleOf(doc)));
  const names = new Set();
  for (let number = 0; number < 512; number++) {
    const bits = Array.from({ length: 9 }, (_, at) => ".a"[(number >> at) & 1]).join("");
    const picture = [bits.slice(0, 3), bits.slice(3, 6), bits.slice(6)];
    const puzzle = puzzleOf(fromPicture({ picture, colours: { a: "#000" } }));
    names.add(`${nameOf(puzzle)} ${JSON.stringify([puzzle.rowClues, puzzle.columnClues])}`);
  }
  assert.equal(new Set([...names].map((name) => name.split(" ")[0])).size, names.size);
});

test("the library's signs are values, for any keys", () => {
  assert.equal(signsOf(["x", "y"]), ".xy");
  assert.equal(signsOf(["red", "blue"]), ".#a");
  assert.equal(signsOf(["k"]), ".#");
  const puzzle = {
    family: "nonogram",
    keys: ["red", "blue"],
    signs: ".#a",
    rowClues: [],
    columnClues: [],
  };
  assert.deepEqual(
    ["#", "a", ".", "?"].map((sign) => valueOf(sign, puzzle, { "#": "red", a: "blue" })),
    [1, 2, 0, 255],
  );
  const single = {
    family: "nonogram",
    keys: ["a", "b"],
    signs: ".ab",
    rowClues: [[{ length: 1, colour: 2 }]],
    columnClues: [],
  };
  assert.equal(valueOf("#", single), 2);
  assert.deepEqual(rowsOf(Uint8Array.of(0, 2, 255, 1), { height: 2, width: 2 }), [".b", "?a"]);
});

test("puzzles beyond the letters of a game cannot be played", () => {
  const coloured = (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`c${at}`, "#123456"]));
  const why = (data) => whyUnplayable(puzzleOf(fromPuzzle({ rows: [[1]], columns: [[1]], ...data })));
  assert.equal(why({ colors: coloured(16) }), "");
  assert.equal(why({ family: "slitherlink", rows: ["3"] }), "");
  assert.match(why({ colors: coloured(17) }), /has 17 colours, at most 16/);
  assert.match(why({ family: "queens", n: 4 }), /Nonograms and Slitherlinks/);
  assert.match(why({ rows: [[]], columns: [[]] }), /no clues yet/);
});
