// Answers of the page without a server, with simulated threads; and its files.

import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createCoreAnswers } from "../../nonosat/studio/page/answers/core.js";
import { contradictionAtSight, readSent } from "../../nonosat/studio/page/answers/core_puzzle.js";
import { pictureOfImage, pictureOfPixels } from "../../nonosat/studio/page/answers/core_image.js";
import { otsu } from "../../nonosat/studio/page/answers/core_tones.js";
import { exported, FORMATS, readFile } from "../../nonosat/studio/page/answers/core_files.js";

const HEART = {
  picture: [".a.a.", "aaaaa", "aaaaa", ".aaa.", "..a.."],
  colours: { a: "#1a1a1a" },
  background: "#ffffff",
  title: "Heart",
};

function world() {
  const threads = [];
  const start = () => {
    const thread = {
      heard: [],
      isEnded: false,
      postMessage: (data) => thread.heard.push(data),
      terminate: () => (thread.isEnded = true),
    };
    threads.push(thread);
    return thread;
  };
  const files = {
    "gallery.json": [{ group: "Pictures", puzzles: [] }],
    "about.json": { version: "1" },
  };
  const request = async (url) => {
    const name = String(url).split("/").at(-1);
    return { ok: name in files, json: async () => files[name] };
  };
  const answers = createCoreAnswers({ base: "http://host/sub/", start, request });
  const tell = (data, at = threads.length - 1) => threads[at].onmessage({ data });
  return { answers, threads, tell };
}

test("only the newest edit is reported", () => {
  const { answers, threads, tell } = world();
  const told = [];
  answers.watch("a", (message) => told.push(["a", message.verdict]));
  const edit = answers.watch("b", (message) => told.push(["b", message.verdict]));
  assert.deepEqual(threads[0].heard, [
    { edit: 1, sent: "a" },
    { edit: 2, sent: "b" },
  ]);
  tell({ edit: 1, verdict: "unique" });
  tell({ edit, begun: true });
  tell({ edit, verdict: "multiple" });
  answers.watch(null);
  tell({ edit, verdict: "unique" });
  assert.deepEqual(told, [["b", "multiple"]]);
  assert.deepEqual(threads[0].heard.at(-1), { edit: 3, sent: null });
});

test("the progress of a query comes before its answer, to this query alone", async () => {
  const { answers, threads, tell } = world();
  const told = [];
  const repair = answers.query("repair", {}, { onProgress: (known) => told.push(known) });
  const quiet = answers.query("repair", {});
  const [one, other] = threads[0].heard.map(({ id }) => id);
  tell({ id: one, progress: { least: 1 } });
  tell({ id: other, progress: { least: 1 } });
  tell({ id: one, progress: { least: 2 } });
  tell({ id: one, answer: { least: 3 } });
  tell({ id: other, answer: { least: 3 } });
  assert.deepEqual(told, [{ least: 1 }, { least: 2 }]);
  assert.deepEqual([await repair, await quiet], [{ least: 3 }, { least: 3 }]);
});

test("a thread that reads no newer edit is ended, and another one gets the newest", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { answers, threads, tell } = world();
    answers.watch("first", () => {});
    answers.watch("second", () => {});
    mock.timers.tick(10_000); // its files may come slowly
    answers.watch("slow", () => {});
    tell({ edit: 1, begun: true });
    tell({ edit: 2, begun: true });
    tell({ edit: 3, begun: true });
    mock.timers.tick(10_000); // the newest edit has no limit
    assert.equal(threads.length, 1);
    answers.watch("b", () => {});
    mock.timers.tick(100);
    answers.watch("c", () => {}); // does not delay it
    mock.timers.tick(60);
    assert.deepEqual(
      threads.map(({ isEnded }) => isEnded),
      [true, false],
    );
    assert.deepEqual(threads[1].heard, [{ edit: 5, sent: "c" }]);
  } finally {
    mock.timers.reset();
  }
});

test("a thread that does not start is reported, and tried again with the next edit", () => {
  const { answers, threads } = world();
  const told = [];
  answers.watch("a", (message) => told.push(message));
  threads[0].onerror({ message: "no modules" });
  assert.equal(told[0].verdict, "unknown");
  assert.match(told[0].reason, /no modules/);
  answers.watch("b", () => {});
  assert.equal(threads.length, 2);
});

test("queries go to a thread of their own, and can be cancelled", async () => {
  const { answers, threads, tell } = world();
  const asked = answers.query("solve", { puzzle: HEART });
  tell({ id: 1, answer: { verdict: "solved" } });
  assert.deepEqual(await asked, { verdict: "solved" });
  const failed = answers.query("hint", {});
  tell({ id: 2, error: { kind: "PuzzleError", message: "no" } });
  await assert.rejects(failed, { kind: "PuzzleError" });
  const control = new AbortController();
  const dropped = answers.query("repair", {}, { signal: control.signal });
  control.abort();
  await assert.rejects(dropped, { kind: "AbortError" });
  assert.deepEqual(threads[0].heard.at(-1), { drop: 3 });
});

test("questions that only Python answers are refused, as are other families", async () => {
  const { answers } = world();
  for (const question of [
    "reason",
    "prices",
    "certificate",
    "sheet",
    "player",
    "repair-grade",
  ]) {
    assert.equal(answers.can(question), false);
    await assert.rejects(answers.query(question, {}), { kind: "UnsupportedError" });
  }
  for (const question of ["solve", "hint", "beliefs", "repair", "explain", "rate"]) {
    assert.equal(answers.can(question), true);
    assert.equal(answers.can(question, "slitherlink"), false);
  }
  for (const question of ["read", "image", "export", "gallery", "about"])
    assert.equal(answers.can(question, "slitherlink"), true);
  assert.deepEqual(await answers.query("gallery"), [{ group: "Pictures", puzzles: [] }]);
  const { version, first, formats } = await answers.query("about");
  assert.deepEqual(
    [version, first, formats.map(({ name }) => name)],
    ["1", null, ["jsonl", "non", "share"]],
  );
});

test("each format that is written is read again", async () => {
  for (const format of ["jsonl", "non", "share"]) {
    const blob = await exported({ puzzle: HEART, format });
    assert.equal(blob.name, `heart.${format}`);
    const { puzzles } = await readFile(blob, blob.name);
    assert.equal(puzzles[0].title, "Heart");
    assert.deepEqual(puzzles[0].puzzle.rows, [[1, 1], [5], [5], [3], [1]]);
    assert.deepEqual(puzzles[0].goal?.picture, format === "non" ? undefined : HEART.picture);
  }
});

test("each format names its families, and writes puzzles of them", async () => {
  const puzzles = {
    nonogram: { rows: [[1]], columns: [[1]] },
    slitherlink: { family: "slitherlink", rows: ["3 ", ".2"] },
  };
  for (const { name, families } of FORMATS) {
    assert.ok(families.length, name);
    for (const family of families) {
      const blob = await exported({ puzzle: { puzzle: puzzles[family] }, format: name });
      const { puzzle } = (await readFile(blob)).puzzles[0];
      assert.equal(puzzle.family ?? "nonogram", family, name);
    }
  }
});

test("other files are refused with advice", async () => {
  for (const text of ["hello", "<puzzleset/>", "{}", "[1]", "rows\n1\n"]) {
    await assert.rejects(readFile(new Blob([text]), "a.txt"), {
      kind: /FormatError|UnsupportedError/,
    });
  }
  await assert.rejects(
    readFile(new Blob([new Uint8Array([137, 80, 78, 71, 255])]), "a.png"),
    /nonosat studio on your computer/,
  );
  await assert.rejects(
    exported({ puzzle: { ...HEART, colours: { a: "#111111", b: "#222222" } }, format: "non" }),
    { kind: "UnsupportedError" },
  );
});

test("impossible clues are recognised without search", () => {
  const look = (rows, columns) =>
    contradictionAtSight(readSent({ puzzle: { rows, columns } }).puzzle);
  assert.equal(look([[1], [1]], [[1], [1]]), null);
  assert.deepEqual(look([[1], [2, 1]], [[1], [2]]).lines, [{ row: 1 }]);
  assert.throws(() => readSent({ puzzle: { family: "queens", n: 8 } }), {
    kind: "UnsupportedError",
  });
});

const INKS = {
  w: [255, 255, 255],
  k: [20, 20, 20],
  r: [200, 30, 30],
  b: [30, 30, 220],
  g: [120, 120, 120],
};
const pixels = (text) => Uint8ClampedArray.from([...text].flatMap((ink) => [...INKS[ink], 255]));

test("images become pictures by a threshold, found or chosen", () => {
  const look = (wishes) => pictureOfPixels(pixels("wkwkgw"), 3, { colours: 1, ...wishes }).picture;
  assert.deepEqual(look({ threshold: 0.3 }), [".a.", "a.."]);
  assert.deepEqual(look({ threshold: 0.6 }), [".a.", "aa."]);
  assert.deepEqual(look({ threshold: 0.3, invert: true }), ["a.a", ".aa"]);
  assert.deepEqual(pictureOfPixels(pixels("wkkwwk"), 3, { colours: 1, edges: 0.5 }).picture, [
    ".aa",
    "..a",
  ]);
  assert.equal(otsu([0, 27, 230, 255]), 129);
  assert.equal(otsu([9, 9]), 128);
});

test("transparent parts stay empty, also if light is filled", () => {
  const image = { data: pixels("wkwk"), width: 2, height: 2 };
  image.data.set([0, 0], 4 * 1 + 2);
  image.data[4 * 1 + 3] = 0;
  for (const dither of ["", "floyd-steinberg", "bayer"]) {
    const look = (wishes) => pictureOfImage(image, { columns: "2", dither, ...wishes }).picture;
    assert.deepEqual(look({}), ["..", ".a"], dither);
    assert.deepEqual(look({ invert: "true" }), ["a.", "a."], dither);
  }
});

test("an unknown kind of dithering is refused", () => {
  const image = { data: pixels("wk"), width: 2, height: 1 };
  assert.throws(() => pictureOfImage(image, { dither: "atkinson" }), {
    kind: "PuzzleError",
    message: "dither is 'atkinson', expected floyd-steinberg or bayer, or none",
  });
});

test("images become pictures of few colours, with the lightest as paper", () => {
  const found = pictureOfPixels(pixels("wrbwrb"), 3, { colours: 2 });
  assert.deepEqual(found.background, "#ffffff");
  const [red, blue] = ["#c81e1e", "#1e1edc"].map((ink) =>
    Object.keys(found.colours).find((key) => found.colours[key] === ink),
  );
  assert.deepEqual(found.picture, [`.${red}${blue}`, `.${red}${blue}`]);
  const few = pictureOfPixels(pixels("wkwk"), 2, { colours: 9 });
  assert.deepEqual([few.picture, few.colours], [[".a", ".a"], { a: "#141414" }]);
});

test("an invalid line is named by its number, including blank lines before it", async () => {
  const read = (text) => readFile(new Blob([text]));
  const wrong = { kind: "FormatError", at: [5, null], message: /^"1 x" is not a clue/ };
  await assert.rejects(read("\n\nrows\n1\n1 x\n\ncolumns\n1\n"), wrong);
  await assert.rejects(read("rows\n1\nabc\ncolumns\n1\n"), { at: [3, null] });
  const { puzzles } = await read("\ntitle x\nrows\n1\n\ncolumns\n1\n\ngoal 1\nlicense CC0\n");
  assert.equal(puzzles.length, 1);
});
