// Questions that the core answers: each is a generator that yields regularly, so that the worker
// can receive messages, and returns the answer in the library's own form.

import { AnswerError } from "./errors.js";
import { explained, nextStep, openedAt, ratingOf } from "./core_explain.js";
import { capital, checkSolution, lineOf, namedLine, readSent, rowsOf } from "./core_puzzle.js";
import { repaired } from "./core_repair.js";

const SLICE_MS = 16;
const SECONDS = 60; // default limit of a question
const ROUNDS = 30; // of beliefs, like the next two as the library has them
const DAMPING = 0.5;
const CLAMP = 12;
const OPEN = 255; // the value of an open cell
const SURE_S = 2; // of the search that decides if a state is right; a step is returned even after it
const UNSURE =
  `(A search of ${SURE_S} seconds did not determine whether any solution agrees with the marks.)`;

/** Generators by question: (core, body, now in milliseconds, explainer). */
export const QUESTIONS = { solve, hint, beliefs, repair, explain, rate };

/** Questions that need the explainer. */
export const EXPLAINED = new Set(["hint", "explain", "rate"]);

/** A puzzle opened, judged and closed again: `{ verdict, first, second, differing, isComplete }`. */
function* known(core, read, seconds, now, options) {
  const opened = core.open(read.core);
  try {
    return yield* judged(opened, read, now() + 1000 * seconds, now, options);
  } finally {
    opened.close();
  }
}

/** An opened puzzle judged until `end`. */
function* judged(opened, read, end, now, { all = false } = {}) {
  const started = now();
  while (!opened.run("verdict", SLICE_MS)) {
    if (now() > end) {
      const seconds = Math.ceil((end - started) / 1000);
      throw new AnswerError("LimitReached", `no verdict within ${seconds} seconds`);
    }
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

/** The easiest step; else a cell. If no solution has the marks together, their errors. */
function* hint(core, { puzzle: sent, given, seconds = SECONDS }, now, explainer) {
  const read = readSent({ ...sent });
  const marks = marksOf(given, read.puzzle);
  const end = now() + 1000 * seconds;
  const marked = core.open({ ...read.core, given: marks, picture: null });
  const opened = openedAt(explainer, read, marks);
  try {
    const state = { core, read, marks, end, now, marked, opened };
    const isPossible = yield* possible(state);
    if (isPossible === false) {
      const isLine = opened.next(SLICE_MS) === "impossible";
      const line = isLine ? lineOf(opened.brokenLine(), read.puzzle) : null;
      return yield* contradicted(state, line);
    }
    if (!marks.includes(OPEN)) return hintOf("The board is complete and right.", { verdict: "solved" });
    const next = yield* nextStep(opened, read, now, end);
    if (!next) return yield* bySolution(state);
    if (next.line) return yield* contradicted(state, next.line);
    const sentence = [...next.before, next.step].map((one) => one.sentence).join(" ");
    return hintOf(isPossible ? sentence : `${sentence} ${UNSURE}`, { ...next, sure: isPossible === true });
  } finally {
    opened.close();
    marked.close();
  }
}

/** True if some solution has the marks, false if none has; null if a short search finds neither. */
function* possible({ read, marks, marked, now, end }) {
  const last = Math.min(end, now() + 1000 * SURE_S);
  for (;;) {
    const isDone = marked.run("verdict", SLICE_MS);
    const first = marked.first();
    if (first) {
      checkSolution(read.puzzle, first);
      return marks.every((value, at) => value === OPEN || value === first[at]);
    }
    if (isDone) return false;
    if (now() >= last) return null;
    yield;
  }
}

/** The hint about marks that no solution has together; `line` is one that they break, or null. */
function* contradicted({ core, read, marks, end, now, opened }, line) {
  const { puzzle } = read;
  let wrong = [];
  try {
    const found = yield* known(core, read, (end - now()) / 1000, now, { all: true });
    if (found.verdict === "unsolvable")
      return hintOf("The puzzle has no solution, with or without the marks.", { verdict: "unsolvable" });
    wrong = mistakes(marks, found);
  } catch (error) {
    if (error.kind !== "LimitReached") throw error; // the contradiction is reported without them
  }
  const parts = [];
  if (line) parts.push(`${capital(namedLine(line, puzzle))} cannot be completed with these marks.`);
  if (wrong.length) parts.push(opened.wrong(wrong.map((at) => [at, marks[at]])));
  else if (line) parts.push("Some mark is wrong, in this line or in a crossing one.");
  else parts.push("No solution has all of these marks together. Undo some of them.");
  return hintOf(parts.join(" "), { line, wrong: wrong.map((at) => mark(at, marks[at], puzzle)) });
}

/** Marks that are in no solution, as far as known. */
function mistakes(marks, { first, differing, isComplete }) {
  return Array.from(marks.keys()).filter((at) => {
    const isCertain = isComplete && !differing[at];
    return isCertain && marks[at] !== OPEN && marks[at] !== first[at];
  });
}

/** A cell with the same value in all solutions with the marks, if no line decides more. */
function* bySolution(state) {
  const { read, marks, marked, now, end } = state;
  const { puzzle } = read;
  const found = yield* judged(marked, read, end, now, { all: true });
  const { verdict, first, differing, isComplete } = found;
  if (verdict === "unsolvable") return yield* contradicted(state, null);
  const open = [...marks.keys()].filter((at) => marks[at] === OPEN);
  const at = open.find((place) => isComplete && !differing[place]);
  if (at === undefined) {
    if (!isComplete) throw new AnswerError("LimitReached", "no step was found within the limit");
    const left = open.length > 1 ? `each of the ${open.length} open cells` : "the open cell";
    return hintOf(`No step is left: two solutions differ in ${left}.`, { verdict: "multiple" });
  }
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
  const marks = new Uint8Array(height * width).fill(OPEN);
  for (const [at, sign] of [...(rows ?? []).join("")].entries()) {
    if (sign !== "?") marks[at] = sign === "." ? 0 : sign.charCodeAt(0) - 96;
  }
  for (const [row, column, value] of given) marks[row * width + column] = value;
  return marks;
}
