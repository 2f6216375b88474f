// Questions that the core answers: each is a generator that yields regularly, so that the worker
// can receive messages, and returns the answer in the library's own form.

import { AnswerError } from "./errors.js";
import { explained, nextStep, ratingOf } from "./core_explain.js";
import { checkSolution, nameOf, readSent, rowsOf } from "./core_puzzle.js";
import { repaired } from "./core_repair.js";

const SLICE_MS = 16;
const SECONDS = 60; // default limit of a question
const ROUNDS = 30; // of beliefs, like the next two as the library has them
const DAMPING = 0.5;
const CLAMP = 12;

/** Generators by question: (core, body, now in milliseconds, explainer). */
export const QUESTIONS = { solve, hint, beliefs, repair, explain, rate };

/** Questions that need the explainer. */
export const EXPLAINED = new Set(["hint", "explain", "rate"]);

/** A puzzle opened, judged and closed again: `{ verdict, first, second, differing }`. */
function* known(core, read, seconds, now, { all = false } = {}) {
  const opened = core.open(read.core);
  try {
    const end = now() + 1000 * seconds;
    while (!opened.run("verdict", SLICE_MS)) {
      if (now() > end)
        throw new AnswerError("LimitReached", `no verdict within ${seconds} seconds`);
      yield;
    }
    const verdict = opened.verdict();
    let isComplete = verdict === "unique";
    while (all && verdict === "multiple" && !isComplete && now() < end) {
      isComplete = opened.run("differing", SLICE_MS);
      yield;
    }
    const [first, second] = [opened.first(), opened.second()];
    for (const cells of [first, second]) if (cells) checkSolution(read.puzzle, cells);
    return { verdict, first, second, differing: opened.differing(), isComplete };
  } finally {
    opened.close();
  }
}

function* solve(core, { puzzle: sent, most = 1, seconds = SECONDS }, now) {
  const read = readSent(sent);
  const started = now();
  const { verdict, first, second } = yield* known(core, read, seconds, now);
  const found = [first, second].filter(Boolean).slice(0, most);
  return {
    verdict: most === 1 && found.length ? "solved" : verdict,
    solutions: found.map((cells) => rowsOf(cells, read.puzzle)),
    seconds: (now() - started) / 1000,
  };
}

function* beliefs(core, { puzzle: sent }) {
  const { puzzle, core: board } = readSent(sent);
  const opened = core.open(board);
  try {
    const planes = opened.beliefs(ROUNDS, DAMPING, CLAMP);
    if (!planes)
      throw new AnswerError(
        "PuzzleError",
        "The clues contradict each other, so there is nothing to estimate.",
      );
    const rows = (plane) =>
      Array.from({ length: puzzle.height }, (_, row) =>
        Array.from(plane.subarray(row * puzzle.width, (row + 1) * puzzle.width)),
      );
    const probabilities = Object.fromEntries(
      planes.map((plane, at) => [puzzle.signs[at + 1], rows(plane)]),
    );
    return { probabilities };
  } finally {
    opened.close();
  }
}

function* repair(core, body, now) {
  return yield* repaired(core, readSent(body.puzzle), body, now);
}

function* explain(core, { puzzle: sent, seconds = SECONDS }, now, explainer) {
  const read = readSent(sent);
  const judge = (left) => known(core, read, left, now, { all: true });
  return yield* explained(explainer, read, now, seconds, judge);
}

function* rate(core, body, now, explainer) {
  return ratingOf(yield* explain(core, body, now, explainer), explainer.techniques);
}

// Hints

/** Errors in the marks; else the easiest step; else a cell. */
function* hint(core, { puzzle: sent, given, seconds = SECONDS }, now, explainer) {
  const read = readSent({ ...sent });
  const { puzzle } = read;
  const marks = marksOf(given, puzzle);
  const found = yield* known(core, read, seconds, now, { all: true });
  if (found.verdict === "unsolvable")
    return hintOf("This puzzle has no solution.", { verdict: "unsolvable" });
  const wrong = mistakes(marks, found);
  if (wrong.length) {
    const are = wrong.length === 1 ? "One mark is" : `${wrong.length} marks are`;
    const them = wrong.length === 1 ? "it" : "them";
    return hintOf(`${are} wrong: no solution has ${them}.`, {
      wrong: wrong.map((at) => mark(at, marks[at], puzzle)),
    });
  }
  // Marks that are each in some solution may be in none together.
  if (found.verdict === "multiple" && !(yield* agree(core, read, marks, seconds, now)))
    return hintOf("No solution has all of these marks together. Undo some of them.", {});
  if (!marks.includes(255)) return hintOf("Every cell is decided.", {});
  const next = yield* nextStep(explainer, read, marks, now, seconds);
  if (!next) return bySolution(marks, found, puzzle);
  if (next.line) {
    return hintOf(
      `The marks in ${nameOf(next.line)} do not fit its clue. Some mark is wrong, ` +
        "in this line or in a crossing one.",
      { line: next.line },
    );
  }
  const sentence = [...next.before, next.step].map((one) => one.sentence).join(" ");
  return hintOf(sentence, next);
}

/** True if some solution has all these marks. */
function* agree(core, read, marks, seconds, now) {
  const marked = { ...read, core: { ...read.core, given: marks, picture: null } };
  return (yield* known(core, marked, seconds, now)).verdict !== "unsolvable";
}

/** Marks that are in no solution, as far as known. */
function mistakes(marks, { first, differing, isComplete }) {
  return Array.from(marks.keys()).filter((at) => {
    const isCertain = isComplete && !differing[at];
    return isCertain && marks[at] !== 255 && marks[at] !== first[at];
  });
}

/** A cell with the same value in all solutions, found by the core if no line decides more. */
function bySolution(marks, { first, differing, isComplete }, puzzle) {
  const at = marks.findIndex((value, place) => value === 255 && isComplete && !differing[place]);
  if (at < 0) return hintOf("No step is left: every open cell differs in two solutions.", {});
  const [row, column] = [Math.floor(at / puzzle.width), at % puzzle.width];
  const value =
    first[at] === 0 ? "empty" : puzzle.palette.length > 1 ? `colour ${first[at]}` : "filled";
  const sentence =
    `No simple argument decides more. A search finds that row ${row + 1}, ` +
    `column ${column + 1} is ${value} in every solution.`;
  return step("guess", [], [mark(at, first[at], puzzle)], sentence);
}

const hintOf = (sentence, more) => ({
  verdict: null,
  sentence,
  step: null,
  before: [],
  sure: true,
  wrong: [],
  conflict: [],
  line: null,
  ...more,
});

const step = (technique, lines, settled, sentence) =>
  hintOf(sentence, { step: { technique, lines, settled, sentence } });

const mark = (at, value, { width, signs }) => [Math.floor(at / width), at % width, signs[value]];

function marksOf(rows, { height, width, given }) {
  const marks = new Uint8Array(height * width).fill(255);
  for (const [at, sign] of [...(rows ?? []).join("")].entries()) {
    if (sign !== "?") marks[at] = sign === "." ? 0 : sign.charCodeAt(0) - 96;
  }
  for (const [row, column, value] of given) marks[row * width + column] = value;
  return marks;
}
