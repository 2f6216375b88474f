// Palettes and colours in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  blank,
  COLOURS,
  fromPicture,
  rowsOfText,
  sameDocument,
  toPicture,
  toSent,
} from "../../nonosat/studio/page/state/document.js";
import {
  contrast,
  inkOn,
  nameOfColour,
  namesOfPalette,
} from "../../nonosat/studio/page/state/colours.js";
import {
  recoloured,
  usedColours,
  withColour,
  withoutColour,
} from "../../nonosat/studio/page/state/palette.js";

const picture = fromPicture(
  {
    picture: ["abc", ".c."],
    colours: { a: "#111111", b: "#cc0000", c: "#00cc00" },
    background: "#ffffff",
  },
  "T",
  "A",
);

test("colours added up to sixteen, all different", () => {
  let doc = blank(2, 2);
  for (let round = 0; round < 30; round += 1) doc = withColour(doc);
  assert.equal(doc.palette.length, 16);
  assert.equal(new Set(doc.palette).size, 16);
  assert.deepEqual(doc.palette, COLOURS);
});

test("colours changed and taken out", () => {
  assert.deepEqual(recoloured(picture, 2, "#123456").palette, ["#111111", "#123456", "#00cc00"]);
  assert.equal(recoloured(picture, 0, "#123456").background, "#123456");
  const without = withoutColour(picture, 2);
  assert.deepEqual(rowsOfText(without), ["a.b", ".b."]);
  assert.deepEqual(without.palette, ["#111111", "#00cc00"]);
  const last = blank(1, 1);
  assert.equal(withoutColour(last, 1), last);
  assert.deepEqual(usedColours(picture), [2, 1, 1, 2]);
});

test("a picture in its sent form, and back", () => {
  const sent = toSent(picture);
  assert.deepEqual(sent, {
    picture: ["abc", ".c."],
    colours: { a: "#111111", b: "#cc0000", c: "#00cc00" },
    background: "#ffffff",
    title: "T",
    author: "A",
  });
  assert.ok(sameDocument(fromPicture(toPicture(picture), "T", "A"), picture));
  assert.ok(!sameDocument(picture, { ...picture, title: "U" }));
  assert.deepEqual(toSent({ kind: "puzzle", puzzle: { rows: [] } }), { puzzle: { rows: [] } });
});

test("names of colours", () => {
  const names = {
    "#000000": "black",
    "#ffffff": "white",
    "#ff0000": "red",
    "#0000ff": "blue",
    "#00aa00": "green",
    "#ffff00": "yellow",
    "#808080": "grey",
    "#5d3a1a": "brown",
    "#8a4ca0": "purple",
    "#e67aa8": "pink",
    "#500000": "dark red",
    "#bfdfff": "light blue",
  };
  for (const [hex, name] of Object.entries(names)) assert.equal(nameOfColour(hex), name, hex);
  assert.deepEqual(namesOfPalette(["#ff0000", "#fe0000", "#0000ff"]), ["red", "red 2", "blue"]);
});

test("contrast as WCAG defines it", () => {
  assert.ok(Math.abs(contrast("#ffffff", "#000000") - 21) < 1e-9);
  assert.ok(Math.abs(contrast("#777777", "#ffffff") - 4.478) < 0.01); // a known value
  assert.equal(inkOn("#1a1a1a"), "#ffffff");
  assert.equal(inkOn("#ffe000"), "#1a1a1a");
  for (const colour of COLOURS) assert.ok(contrast(colour, inkOn(colour)) >= 4, colour);
});
