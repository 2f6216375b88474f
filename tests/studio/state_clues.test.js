// Clues of pictures and clues as typed, against runs found with regular expressions.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blank,
  cluesOf,
  fromPicture,
  fromPuzzle,
} from "../../nonosat/studio/page/state/document.js";
import {
  clueOfText,
  dataOfClue,
  neededBy,
  textOfClue,
} from "../../nonosat/studio/page/state/clues.js";
import { random } from "./helpers/random.mjs";

/** Runs of a text line: the oracle. */
const runs = (text) =>
  [...text.matchAll(/([a-p])\1*/g)].map(([run]) => ({
    length: run.length,
    colour: run.charCodeAt(0) - 96,
  }));

const across = (rows) =>
  Array.from(rows[0], (_, column) => rows.map((row) => row[column]).join(""));

const sixteen = () =>
  Object.fromEntries(
    [..."abcdefghijklmnop"].map((key, at) => [key, `#0000${(16 + at).toString(16)}`]),
  );

function check(rows) {
  const { rowClues, columnClues } = cluesOf(
    fromPicture({ picture: rows, colours: sixteen(), background: "#ffffff" }),
  );
  assert.deepEqual(rowClues, rows.map(runs));
  assert.deepEqual(columnClues, across(rows).map(runs));
}

test("clues of small and of random pictures are their runs", () => {
  check(["."]);
  check(["a"]);
  check(["aab.bba.a"]);
  check([..."a.abb."]);
  const next = random(7);
  for (let round = 0; round < 200; round += 1) {
    const [height, width] = [1 + next(12), 1 + next(12)];
    const letters = next(2) ? ".a" : ".abcdefghijklmnop";
    check(
      Array.from({ length: height }, () =>
        Array.from({ length: width }, () => letters[next(letters.length)]).join(""),
      ),
    );
  }
});

test("the largest board, empty and full", () => {
  const empty = cluesOf(blank(200, 200));
  assert.ok([...empty.rowClues, ...empty.columnClues].every((clue) => clue.length === 0));
  check(Array.from({ length: 200 }, () => "p".repeat(200)));
});

test("clues of a puzzle: unknown lengths, zeros, keys of colours", () => {
  const mono = fromPuzzle({ rows: [[2], [0], [null, 1]], columns: [[1], []] });
  assert.deepEqual(cluesOf(mono).rowClues, [
    [{ length: 2, colour: 1 }],
    [],
    [
      { length: null, colour: 1 },
      { length: 1, colour: 1 },
    ],
  ]);
  assert.equal(mono.height, 3);
  assert.equal(mono.width, 2);
  const coloured = fromPuzzle({
    rows: [
      [
        [2, "y"],
        [1, "x"],
      ],
    ],
    columns: [[[1, "y"]], [[1, "y"]], [[1, "x"]]],
    colors: { x: "#ff0000", y: "#00ff00" },
  });
  assert.deepEqual(cluesOf(coloured).rowClues, [
    [
      { length: 2, colour: 2 },
      { length: 1, colour: 1 },
    ],
  ]);
  assert.deepEqual(coloured.palette, ["#ff0000", "#00ff00"]);
});

test("length of a clue", () => {
  assert.equal(neededBy([]), 0);
  assert.equal(
    neededBy([
      { length: 3, colour: 1 },
      { length: 1, colour: 1 },
    ]),
    5,
  );
  assert.equal(
    neededBy([
      { length: 3, colour: 1 },
      { length: 1, colour: 2 },
    ]),
    4,
  );
});

test("clues as people type them", () => {
  assert.deepEqual(clueOfText("3 1").clue, [
    { length: 3, colour: 1 },
    { length: 1, colour: 1 },
  ]);
  assert.deepEqual(
    clueOfText(" 3,1; 2 ").clue.map(({ length }) => length),
    [3, 1, 2],
  );
  for (const empty of ["", "  ", "0"]) assert.deepEqual(clueOfText(empty).clue, []);
  assert.deepEqual(clueOfText("2b ?a", 2).clue, [
    { length: 2, colour: 2 },
    { length: null, colour: 1 },
  ]);
  for (const wrong of ["x", "1x", "-3", "1 0", "3.5.x", "12345"])
    assert.match(clueOfText(wrong).error, /./, wrong);
  assert.match(clueOfText("3", 2).error, /colour/);
  assert.match(clueOfText("3c", 2).error, /2 colours/);
  assert.match(clueOfText("1x").error, /1x/);
});

test("no letter of a colour resembles a digit", () => {
  const every = Array.from({ length: 16 }, (_, at) => ({ length: 1, colour: at + 1 }));
  const text = textOfClue(every, true);
  assert.doesNotMatch(text, /[ilosqz]/);
  assert.deepEqual(clueOfText(text, 16).clue, every);
  assert.equal(text.split(" ")[8], "1j");
  for (const letter of "ilo") assert.match(clueOfText(`2${letter}`, 16).error, /no colour/);
});

test("written clues are read again", () => {
  for (const text of ["0", "3 1", "? 2"]) assert.equal(textOfClue(clueOfText(text).clue), text);
  assert.equal(textOfClue(clueOfText("3a 1b", 2).clue, true), "3a 1b");
  assert.deepEqual(dataOfClue(clueOfText("3a 1b", 2).clue, ["r", "g"]), [
    [3, "r"],
    [1, "g"],
  ]);
  assert.deepEqual(dataOfClue(clueOfText("3 ?").clue, []), [3, null]);
});
