// Explanations and next steps by an explainer of the test: limits of time, and pauses.

import assert from "node:assert/strict";
import { test } from "node:test";
import { AnswerError } from "../../nonosat/studio/page/answers/errors.js";
import { explained, nextStep } from "../../nonosat/studio/page/answers/core_explain.js";
import { readSent } from "../../nonosat/studio/page/answers/core_puzzle.js";

const READ = readSent({
  puzzle: { width: 2, height: 2, rows: [[1], [1]], columns: [[1], [1]] },
});
const RULED_OUT = { technique: "probing", lines: [0], settled: [], ruledOut: [], assumed: null };

/** An explainer whose search takes the time that it is given, with the results in order. */
function explainer(results, clock) {
  const slices = [];
  const next = (milliseconds) => {
    slices.push(milliseconds);
    clock.ms += milliseconds;
    return results.shift() ?? "stopped";
  };
  const step = () => ({ ...RULED_OUT, chain: [], sentence: "" });
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

test("a hint keeps its limit, and pauses after steps that settle nothing", () => {
  const clock = { ms: 0 };
  const known = new Uint8Array(4).fill(255);
  const steps = ["step", "step", "nothing"];
  const found = ended(nextStep(explainer(steps, clock), READ, known, () => clock.ms, 1));
  assert.deepEqual(found, { value: null, pauses: 2 });
  const endless = nextStep(explainer([], clock), READ, known, () => clock.ms, 1);
  assert.throws(() => ended(endless), { kind: "LimitReached" });
});
