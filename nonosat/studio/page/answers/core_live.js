// Live verdicts by the core: messages about a puzzle, step by step, in slices short enough to
// receive a newer puzzle in between.

import { AnswerError } from "./errors.js";
import { checkSolution, contradictionAtSight, lineOf, namedLine, readSent } from "./core_puzzle.js";
import { OutOfMemoryError } from "./core_native.js";
import { isSolved } from "../play/rules.js";

const SLICE_MS = 16;
const VERDICT_MS = 60_000;
const MORE_MS = 20_000; // for all differing cells and for the count, after the verdict
const CLASH_MS = 5_000;
const REPORT_EVERY_MS = 500;
const MOST_SWITCHES = 24; // number of remembered switches
const MOST_NAMED = 6; // lines of a sentence; all are marked on the board

/**
 * The messages about a puzzle, as the README lists them, without the number of the edit; null
 * marks the end of a slice without news.
 *
 * @param {object} core Of `startCore`.
 * @param {object} sent SENT of the README.
 * @param {() => number} now Milliseconds.
 * @param {object[]} switches Switches of earlier pictures; the same list in each call.
 * @returns {Generator<object | null>}
 */
export function* judged(core, sent, now = () => performance.now(), switches = []) {
  let opened = null;
  try {
    const read = readSent(sent);
    const sight = read.isPicture ? null : contradictionAtSight(read.puzzle);
    if (sight) {
      const { lines, sentence } = sight;
      yield { verdict: "unsolvable", lines, sentence, seconds: 0 };
    } else {
      opened = core.open(read.core);
      yield* verdictOf(opened, read, now, switches);
    }
    yield { done: true };
  } catch (error) {
    yield* failure(error);
  } finally {
    opened?.close();
  }
}

function* failure(error) {
  if (error instanceof OutOfMemoryError) {
    yield { verdict: "unknown", reason: error.message };
  } else if (error instanceof AnswerError) {
    const { kind, message, line } = error;
    yield { error: { kind, message, ...(line ? { line } : {}) } };
  } else {
    throw error;
  }
  yield { done: true };
}

function* verdictOf(opened, { puzzle, core: { picture } }, now, switches) {
  const started = now();
  const seconds = () => (now() - started) / 1000;
  const other = picture && thrown(picture, puzzle, switches);
  if (other) {
    const differing = placesWhere(puzzle, (at) => picture[at] !== other[at]);
    yield { verdict: "multiple", seconds: seconds(), differing, complete: false };
  }
  if (!(yield* worked(opened, "verdict", VERDICT_MS, now, Boolean(other)))) {
    if (other) return;
    const reason = `no verdict within ${VERDICT_MS / 1000} seconds in this page`;
    return yield { verdict: "unknown", reason };
  }
  const verdict = opened.verdict();
  if (verdict === "unsolvable") {
    yield { verdict, seconds: seconds(), lines: [], sentence: "" };
    return yield* clashing(opened, puzzle, now);
  }
  const [first, second] = [opened.first(), opened.second()];
  checkSolution(puzzle, first);
  if (verdict === "unique") return yield { verdict, seconds: seconds() };
  checkSolution(puzzle, second);
  remember(switches, first, second);
  if (!other)
    yield { verdict, seconds: seconds(), differing: places(opened, puzzle), complete: false };
  yield* compared(opened, puzzle, now);
}

// Switches: cells in which a picture and another solution of its clues differ. Most edits keep
// them.

/** A picture with a remembered switch applied, if that is another solution of its clues. */
function thrown(picture, puzzle, switches) {
  for (const { size, cells, values } of switches) {
    if (size !== picture.length) continue;
    for (const [from, to] of [values, values.toReversed()]) {
      if (!cells.every((at, place) => picture[at] === from[place])) continue;
      const other = picture.slice();
      cells.forEach((at, place) => (other[at] = to[place]));
      if (isSolved(puzzle, other)) return other;
    }
  }
  return null;
}

function remember(switches, first, second) {
  const cells = Array.from(first.keys()).filter((at) => first[at] !== second[at]);
  const values = [cells.map((at) => first[at]), cells.map((at) => second[at])];
  switches.unshift({ size: first.length, cells, values });
  switches.length = Math.min(switches.length, MOST_SWITCHES);
}

/** Work on a question until it is answered or the time is over; return the answer. */
function* worked(opened, question, most, now, isKnown = false) {
  const started = now();
  let reported = started;
  while (!opened.run(question, SLICE_MS)) {
    const time = now();
    if (time - started > most) return false;
    const isLate = question === "verdict" && !isKnown && time - reported > REPORT_EVERY_MS;
    if (isLate) reported = time;
    yield isLate ? { looking: (time - started) / 1000 } : null;
  }
  return true;
}

/** Search for all differing cells and count the solutions, alternately: either may take long. */
function* compared(opened, puzzle, now) {
  const end = now() + MORE_MS;
  const slices = { differing: SLICE_MS, count: SLICE_MS };
  let num = 0;
  let isCounted = false;
  while (Object.keys(slices).length && now() < end) {
    for (const question of Object.keys(slices)) {
      const done = ran(opened, question, Math.min(slices[question], end - now()));
      if (question === "count") slices.count *= 2; // a stopped frontier restarts from the beginning
      if (done === null || done) delete slices[question];
      if (question === "count") isCounted = Boolean(done);
      if (isCounted && question === "count") yield { count: String(opened.total()), exact: true };
      if (done !== null && question === "differing") {
        const differing = places(opened, puzzle);
        if (done || differing.length > num) yield { differing, complete: done };
        num = differing.length;
      }
      yield null;
    }
  }
  if (!isCounted) yield { count: String(opened.total()), exact: false };
}

/** True if a question is answered after a slice; null if the memory does not suffice. */
function ran(opened, question, milliseconds) {
  try {
    return opened.run(question, milliseconds);
  } catch (error) {
    if (error instanceof OutOfMemoryError) return null;
    throw error;
  }
}

function* clashing(opened, puzzle, now) {
  yield* worked(opened, "clash", CLASH_MS, now);
  const lines = opened.clash().map((number) => lineOf(number, puzzle));
  if (!lines.length) return;
  yield { verdict: "unsolvable", lines, sentence: clashInWords(lines, puzzle) };
}

function clashInWords(lines, puzzle) {
  const names = lines.map((line) => namedLine(line, puzzle));
  if (lines.length === 1) return `No filling of ${names[0]} has the blocks of its clue.`;
  const subject = `The clues of ${lines.length} lines contradict each other`;
  return names.length > MOST_NAMED ? `${subject}.` : `${subject}: ${joined(names)}.`;
}

const joined = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

function places(opened, puzzle) {
  const differing = opened.differing();
  return placesWhere(puzzle, (at) => differing[at]);
}

function placesWhere({ height, width }, differs) {
  const cells = [];
  for (let at = 0; at < height * width; at += 1) {
    if (differs(at)) cells.push([Math.floor(at / width), at % width]);
  }
  return cells;
}
