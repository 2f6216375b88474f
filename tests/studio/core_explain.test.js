// Explanations and next steps by an explainer of the test: limits of time, and pauses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerError } from "../../nonosat/studio/page/answers/errors.js";
import { explained, nextStep, openedAt } from "../../nonosat/studio/page/answers/core_explain.js";
import { QUESTIONS } from "../../nonosat/studio/page/answers/core_questions.js";
import { readSent } from "../../nonosat/studio/page/answers/core_puzzle.js";

const SENT = { puzzle: { width: 2, height: 2, rows: [[1], [1]], columns: [[1], [1]] } };
const READ = readSent(SENT);
const RULED_OUT = { technique: "probing", lines: [0], settled: [], ruledOut: [], assumed: null };

/** An explainer whose search takes the time that it is given, with the results in order. */
function explainer(results, clock, settled = []) {
  const slices = [];
  const next = (milliseconds) => {
    slices.push(milliseconds);
    clock.ms += milliseconds;
    return results.shift() ?? "stopped";
  };
  const step = () => ({ ...RULED_OUT, settled, chain: [], sentence: "So." });
  const open = () => ({ next, step, needed: () => [0], close() {} });
  return { slices, techniques: { probing: 6 }, open };
}

function ended(work) {
  for (let pauses = 0; ; pauses += 1) {
    const { done, value } = work.next();
    if (done) return { value, pauses };
  }
}

test("no search for a step exceeds the limit of an explanation", () => {
  const clock = { ms: 0 };
  const solver = explainer([], clock);
  const { value } = ended(explained(solver, READ, () => clock.ms, 1, null));
  assert.equal(value.verdict, "unknown");
  assert.equal(value.reason, "time limit");
  assert.ok(clock.ms <= 1001);
  assert.equal(solver.slices[1], 2 * solver.slices[0]);
});

test("steps stay if the verdict after them takes too long", () => {
  const clock = { ms: 0 };
  const judge = function* (seconds) {
    assert.ok(seconds > 0 && seconds < 1);
    yield;
    throw new AnswerError("LimitReached", "no verdict");
  };
  const work = explained(explainer(["step", "nothing"], clock), READ, () => clock.ms, 1, judge);
  const { value } = ended(work);
  assert.equal(value.verdict, "unknown");
  assert.equal(value.steps.length, 1);
  assert.match(value.reason, /prices or a guess/);
});

test("a search that advances keeps its slices short", () => {
  const clock = { ms: 0 };
  const later = Array.from({ length: 9 }, () => "stopped later");
  const solver = explainer([...later, "stopped", "nothing"], clock);
  const judge = function* () {
    return { verdict: "unsolvable" };
  };
  ended(explained(solver, READ, () => clock.ms, 1, judge));
  assert.deepEqual(new Set(solver.slices.slice(0, 10)), new Set([solver.slices[0]]));
  assert.equal(solver.slices[10], 2 * solver.slices[0]);
});

test("a hint keeps its limit, and pauses after steps that settle nothing", () => {
  const clock = { ms: 0 };
  const known = new Uint8Array(4).fill(255);
  const steps = ["step", "step", "nothing"];
  const next = (results) =>
    nextStep(openedAt(explainer(results, clock), READ, known), READ, () => clock.ms, clock.ms + 1000);
  assert.deepEqual(ended(next(steps)), { value: null, pauses: 2 });
  assert.throws(() => ended(next([])), { kind: "LimitReached" });
});

test("a step is not sure while no solution with the marks is known", () => {
  const clock = { ms: 0 };
  const hint = (first) => {
    const run = (question, milliseconds) => {
      clock.ms += milliseconds;
      return false;
    };
    const core = { open: () => ({ run, first: () => first, close() {} }) };
    const solver = explainer(["step"], clock, [[1, 1]]);
    const given = ["a?", "??"];
    return ended(QUESTIONS.hint(core, { puzzle: SENT, given }, () => clock.ms, solver)).value;
  };
  const unsure = hint(null);
  assert.equal(unsure.sure, false);
  assert.match(unsure.sentence, /^So\. \(A search of 2 seconds did not determine /);
  assert.deepEqual(unsure.step.settled, [[0, 1, "#"]]);
  const { sure, sentence } = hint(Uint8Array.of(1, 0, 0, 1));
  assert.deepEqual([sure, sentence], [true, "So."]);
});
