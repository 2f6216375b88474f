// A board keeps its layout during a stroke and for a second after it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createStillness, STILL_MS } from "../../nonosat/studio/page/board/still.js";

/** Timers that the test runs. */
function createTimers() {
  const waiting = new Map();
  let number = 0;
  return {
    waiting,
    start(run, ms) {
      waiting.set((number += 1), { run, ms });
      return number;
    },
    clear: (timer) => waiting.delete(timer),
    pass() {
      const [[timer, { run }]] = waiting;
      waiting.delete(timer);
      run();
    },
  };
}

function started() {
  const timers = createTimers();
  const seen = { ends: 0 };
  return { timers, seen, still: createStillness(() => (seen.ends += 1), timers) };
}

test("the layout is kept from the start of a stroke to a second after its end", () => {
  const { timers, seen, still } = started();
  assert.equal(still.isOn(), false);
  still.begin();
  assert.equal(still.isOn(), true);
  assert.equal(timers.waiting.size, 0, "a stroke may take as long as it likes");
  still.end();
  assert.equal(still.isOn(), true);
  assert.deepEqual([...timers.waiting.values()].map(({ ms }) => ms), [STILL_MS]);
  assert.equal(STILL_MS, 1000);
  timers.pass();
  assert.equal(still.isOn(), false);
  assert.equal(seen.ends, 1);
});

test("a stroke within that second restarts it", () => {
  const { timers, seen, still } = started();
  still.begin();
  still.end();
  still.begin();
  assert.equal(timers.waiting.size, 0);
  still.end();
  still.end(); // a cancelled pointer ends twice
  assert.equal(timers.waiting.size, 1);
  assert.equal(seen.ends, 0);
});

test("the second after a stroke ends early on request, the stroke does not", () => {
  const { timers, seen, still } = started();
  still.release();
  still.begin();
  still.release();
  assert.equal(still.isOn(), true);
  still.end();
  still.release();
  assert.equal(still.isOn(), false);
  assert.deepEqual([seen.ends, timers.waiting.size], [1, 0]);
});
