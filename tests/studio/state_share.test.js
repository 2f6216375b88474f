// Shared texts, both ways, against texts of the Python library and node's own zlib.

import assert from "node:assert/strict";
import { test } from "node:test";
import zlib from "node:zlib";
import {
  blank,
  fromPicture,
  fromPuzzle,
  rowsOfText,
} from "../../nonosat/studio/page/state/document.js";
import {
  documentOf,
  documentOfRead,
  isShared,
  sharedDocument,
  shareText,
} from "../../nonosat/studio/page/state/share.js";
import { random, randomPicture } from "./helpers/random.mjs";

const HEART = { title: "Heart", width: 5, goal: "0101011111111110111000100" };
const written = (data) =>
  `nonosat:1:${zlib.deflateRawSync(JSON.stringify(data)).toString("base64url")}`;
const inside = (text) => JSON.parse(zlib.inflateRawSync(Buffer.from(text.slice(10), "base64url")));

test("the example of the format's documentation", async () => {
  // nonosat/formats/share.py
  const doc = await sharedDocument(
    "nonosat:1:q1YqySzJSVWyUkrKzy9R0lEqz0wpyVCyMtZRSs9PzAGKGxoaAKFSLQA",
  );
  assert.equal(doc.kind, "picture");
  assert.equal(doc.width, 3);
  assert.equal(doc.title, "boot");
});

test("a picture is read unchanged", async () => {
  const doc = await sharedDocument(written(HEART));
  assert.deepEqual(rowsOfText(doc), [".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a.."]);
  assert.equal(doc.title, "Heart");
});

test("round trips of pictures of all sizes and colours", async () => {
  const next = random(9);
  for (const [height, width, colours] of [
    [1, 1, 1],
    [1, 9, 2],
    [7, 1, 16],
    [13, 17, 16],
    [200, 200, 16],
  ]) {
    const doc = {
      ...randomPicture(next, blank, height, width, colours),
      title: "Märchen ❤",
      author: "Zoë",
      background: "#fffbe0",
    };
    const text = await shareText(doc);
    assert.match(text, /^nonosat:1:[\w-]+$/);
    assert.deepEqual(await sharedDocument(text), doc);
    const data = inside(text);
    assert.equal(data.goal.length, height * width);
    assert.equal(Object.keys(data.colors).length, colours);
    assert.ok(!("rows" in data));
  }
});

test("puzzles without a picture are sent unchanged", async () => {
  for (const data of [
    { rows: [[1], [null]], columns: [[1], [1]], given: [[0, 0, 1]], width: 2, height: 2 },
    { family: "slitherlink", rows: ["3 3", "..2"] },
  ]) {
    const text = await shareText(fromPuzzle(data));
    assert.deepEqual(inside(text), data);
    assert.deepEqual((await sharedDocument(text)).puzzle, data);
  }
});

test("a picture with given cells is the puzzle that has them", async () => {
  // Written by nonosat/formats/share.py: {"width":2,"given":[[0,0,1]],"goal":"1001"}
  const text = "nonosat:1:q1Yqz0wpyVCyMtJRSs8sS81TsoqONtAx0DGMjQWK5CfmKFkpGRoYGCrVAgA";
  const doc = await sharedDocument(text);
  assert.equal(doc.kind, "puzzle");
  const whole = {
    width: 2,
    given: [[0, 0, 1]],
    goal: "1001",
    height: 2,
    rows: [[1], [1]],
    columns: [[1], [1]],
  };
  assert.deepEqual(doc.puzzle, whole);
  assert.deepEqual((await sharedDocument(await shareText(doc))).puzzle, whole);
  const colors = { r: "#ff0000", b: "#0000ff" };
  const coloured = documentOf({ width: 2, goal: "12", colors, given: [[0, 1, "b"]] });
  assert.equal(JSON.stringify(coloured.puzzle.rows), '[[[1,"r"],[1,"b"]]]');
  assert.equal(documentOf({ width: 2, goal: "12", colors, given: [] }).kind, "picture");
  assert.throws(() => documentOf({ width: 2, goal: "10", given: [[0, 2, 1]] }), /given cell/);
});

test("texts in addresses and messages", async () => {
  const text = written(HEART);
  for (const around of [
    `https://host/path/#p=${text}`,
    `look: ${text} !`,
    text.replaceAll(":", "%3A"),
    `${text}==`,
    `#p=${text}`,
  ]) {
    assert.ok(isShared(around));
    assert.equal((await sharedDocument(around)).title, "Heart");
  }
  assert.ok(!isShared("1 2 3") && !isShared(""));
});

test("every fault is reported in a sentence", async () => {
  const text = written(HEART);
  const bad = [
    "no puzzle",
    text.slice(0, 30),
    text.replace(":1:", ":2:"),
    "nonosat:1:AAAA",
    written([1]),
    written({ width: 3, goal: "0101" }),
    written({ width: 2, goal: "09" }),
    written({ width: 0, goal: "" }),
    written({ width: 2, goal: "0?" }),
  ];
  for (const one of bad) await assert.rejects(sharedDocument(one), /[A-Z].*\./, one.slice(0, 60));
  const long = written({ ...HEART, goal: "0".repeat(201 * 5) });
  await assert.rejects(sharedDocument(long), /has 5 × 201 cells/, "the width first, as everywhere");
  const bomb = `nonosat:1:${zlib.deflateRawSync(Buffer.alloc(20 * 2 ** 20)).toString("base64url")}`;
  await assert.rejects(sharedDocument(bomb), /damaged/);
});

test("a puzzle that was read becomes its picture only if that contains everything", () => {
  const picture = fromPicture({
    picture: ["a."],
    colours: { a: "#000000" },
    background: "#ffffff",
  });
  const data = { rows: [[1]], columns: [[1], []], title: "Dot" };
  assert.equal(documentOfRead(data, picture).kind, "picture");
  assert.equal(documentOfRead(data, picture).title, "Dot");
  assert.equal(documentOfRead(data, null).kind, "puzzle");
  assert.equal(documentOfRead({ ...data, given: [[0, 0, 1]] }, picture).kind, "puzzle");
  assert.equal(documentOfRead({ ...data, columns: [[], [1]] }, picture).kind, "puzzle");
});
