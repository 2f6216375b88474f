// Explanations, difficulties and next steps by the native explainer, in the library's own form.

import { AnswerError } from "./errors.js";
import { contradictionAtSight, lineOf, rowsOf } from "./core_puzzle.js";
import { GRADES } from "../verdict/grades.js";

const SLICE_MS = 16;
const OPEN = 255;
const BEYOND =
  "the next step needs a table of prices or a guess, which nonosat on your computer finds";

/**
 * The explanation of a puzzle, as the question `explain` answers. It yields regularly.
 *
 * @param {object} explainer Of `startExplainer`.
 * @param {object} read Of `readSent`.
 * @param {() => number} now Milliseconds.
 * @param {number} seconds Limit of the work.
 * @param {(seconds: number) => Generator} judge The verdict: `{verdict, differing, isComplete}`.
 */
export function* explained(explainer, read, now, seconds, judge) {
  const started = now();
  const { puzzle } = read;
  const sight = contradictionAtSight(puzzle);
  const told = sight
    ? { steps: [], known: givenOf(puzzle), verdict: "unsolvable", reason: sight.reason }
    : yield* steps(explainer, read, now, started + 1000 * seconds, judge);
  const { known, ...rest } = told;
  const rating = ratingOf(told, explainer.techniques);
  return {
    ...rest,
    grid: gridOf(known, puzzle),
    difficulty: rating.difficulty,
    seconds: (now() - started) / 1000,
  };
}

function* steps(explainer, read, now, end, judge) {
  const { puzzle } = read;
  const known = givenOf(puzzle);
  const opened = openedAt(explainer, read, known);
  const found = [];
  try {
    for (;;) {
      const result = yield* searched(opened, now, end);
      if (result === "impossible")
        return { steps: found, known, verdict: "unsolvable", reason: opened.sentence() };
      if (result === "nothing")
        return { steps: found, known, ...(yield* ending(known, judge, (end - now()) / 1000)) };
      if (result === "stopped")
        return { steps: found, known, verdict: "unknown", reason: "time limit" };
      const step = opened.step();
      for (const [cell, value] of step.settled) known[cell] = value;
      found.push(dataOf(step, puzzle));
      yield;
    }
  } finally {
    opened.close();
  }
}

/**
 * Search for the next step in slices, until `end` at most: "step", "nothing", "impossible", or
 * "stopped". A slice that completed no part of the search is doubled, the next one is short again.
 */
function* searched(opened, now, end) {
  let slice = SLICE_MS;
  for (;;) {
    const result = opened.next(Math.min(slice, end - now()));
    if (!result.startsWith("stopped")) return result;
    if (now() >= end) return "stopped";
    slice = result === "stopped" ? 2 * slice : SLICE_MS;
    yield;
  }
}

/** The verdict after the last step, and its reason; at the limit of seconds none is known. */
function* ending(known, judge, seconds) {
  const open = [...known.keys()].filter((at) => known[at] === OPEN);
  if (!open.length) return { verdict: "unique", reason: "" };
  let judged;
  try {
    judged = yield* judge(seconds);
  } catch (error) {
    if (error.kind !== "LimitReached") throw error;
    return { verdict: "unknown", reason: BEYOND };
  }
  const { verdict, differing, isComplete } = judged;
  if (verdict === "unsolvable") return { verdict, reason: "a search finds no solution" };
  if (verdict === "multiple" && isComplete && open.every((at) => differing[at]))
    return { verdict, reason: `there are solutions that differ in the ${open.length} open cells` };
  return { verdict: "unknown", reason: BEYOND };
}

/** The difficulty of an explanation, as the question `rate` answers. */
export function ratingOf({ steps: told, verdict, reason = "" }, techniques) {
  const names = Object.keys(techniques).filter((name) =>
    told.some(({ technique }) => technique === name),
  );
  const counts = (count) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        told.reduce((sum, step) => sum + (step.technique === name ? count(step) : 0), 0),
      ]),
    );
  const cells = counts(({ settled }) => settled.length);
  const rating = { verdict, difficulty: null, name: "", steps: counts(() => 1), cells, reason };
  if (verdict !== "unique") return rating;
  const grade = Math.max(0, ...names.map((name) => techniques[name]));
  const sum = (some) => some.reduce((count, name) => count + cells[name], 0);
  const share = names.length ? sum(names.filter((name) => techniques[name] === grade)) / sum(names) : 0;
  const tenths = Math.min(Math.floor(10 * share), 9);
  return { ...rating, difficulty: (10 * grade + tenths) / 10, name: GRADES[grade] };
}

/**
 * The next step that settles a cell from known cells, and the steps before it that it needs.
 *
 * @param {object} opened Of `openedAt`, without a step so far.
 * @param {() => number} now Milliseconds.
 * @param {number} end When the work must end; an AnswerError states that it is reached.
 * @returns {Generator} `{step, before}`, `{line}` for a line without placement, or null if no
 *   technique finds a step.
 */
export function* nextStep(opened, { puzzle }, now, end) {
  const started = now();
  const found = [];
  for (;;) {
    const result = yield* searched(opened, now, end);
    if (result === "nothing") return null;
    if (result === "impossible") return { line: lineOf(opened.brokenLine(), puzzle) };
    if (result === "stopped") throw noStep(end - started);
    found.push(dataOf(opened.step(), puzzle));
    const step = found.at(-1);
    if (step.settled.length)
      return { step, before: opened.needed().slice(0, -1).map((at) => found[at]) };
    yield;
  }
}

const noStep = (milliseconds) =>
  new AnswerError("LimitReached", `no step within ${Math.ceil(milliseconds / 1000)} seconds`);

/** A puzzle in the explainer, with known cells: a value a cell, 255 if it is open. */
export function openedAt(explainer, { puzzle, core }, known) {
  const { keys, signs } = puzzle;
  const names = ["empty", ...(keys.length === 1 ? ["filled"] : keys)];
  const isShort = keys.join("") === signs.slice(1);
  return explainer.open({ ...core, known, names, isShort });
}

function givenOf({ height, width, given }) {
  const known = new Uint8Array(height * width).fill(OPEN);
  for (const [row, column, value] of given) known[row * width + column] = value;
  return known;
}

const gridOf = (known, puzzle) =>
  rowsOf(known, { ...puzzle, signs: puzzle.signs.padEnd(OPEN) + "?" });

/** A step as the library's JSON, without keys of empty fields. */
function dataOf({ technique, lines, settled, ruledOut, assumed, chain, sentence }, puzzle) {
  const line = (number) => lineOf(number, puzzle);
  const cell = ([at, value]) => [
    Math.floor(at / puzzle.width),
    at % puzzle.width,
    value === OPEN ? "?" : puzzle.signs[value],
  ];
  const data = { technique, lines: lines.map(line), settled: settled.map(cell) };
  if (ruledOut.length) data.ruled_out = ruledOut.map(cell);
  if (assumed) data.assumed = cell(assumed);
  if (chain.length)
    data.chain = chain.map(([number, gone]) => ({ ...line(number), rules_out: gone.map(cell) }));
  return { ...data, sentence };
}
