// Connection of live verdicts, with a clock and sockets that the test controls.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createLive } from "../../nonosat/studio/page/answers/live.js";

function world() {
  const made = { sockets: [], timers: [], refused: false };
  const live = createLive({
    open: () => {
      const socket = { sent: [], send: (text) => socket.sent.push(JSON.parse(text)) };
      made.sockets.push(socket);
      return socket;
    },
    later: (run, ms) => {
      const timer = { run, ms };
      made.timers.push(timer);
      return timer;
    },
    forget: (timer) => (made.timers = made.timers.filter((one) => one !== timer)),
    isRefused: async () => made.refused,
  });
  const tick = () => made.timers.splice(0).forEach((timer) => timer.run());
  const last = () => made.sockets.at(-1);
  const reply = (message) => last().onmessage({ data: JSON.stringify(message) });
  return { made, live, tick, last, reply };
}

test("of fast edits one is under way, and only the newest follows", () => {
  const { live, last, reply } = world();
  live.watch("a", () => {});
  live.watch("b", () => {});
  last().onopen();
  live.watch("c", () => {});
  live.watch("d", () => {});
  assert.deepEqual(
    last().sent.map(({ puzzle }) => puzzle),
    ["b"],
  );
  reply({ edit: 2, verdict: "unique" });
  assert.deepEqual(last().sent, [
    { edit: 2, puzzle: "b" },
    { edit: 4, puzzle: "d" },
  ]);
});

test("a silent server does not delay the newest edit", () => {
  const { live, last, tick } = world();
  live.watch("a", () => {});
  last().onopen();
  live.watch("b", () => {});
  tick();
  assert.deepEqual(
    last().sent.map(({ puzzle }) => puzzle),
    ["a", "b"],
  );
});

test("an edit after a long silence is sent at once", () => {
  const { live, last, tick } = world();
  live.watch("hard", () => {});
  last().onopen();
  tick();
  live.watch("b", () => {});
  tick();
  live.watch(null);
  tick();
  live.watch("c", () => {});
  assert.deepEqual(
    last().sent.map(({ puzzle }) => puzzle),
    ["hard", "b", null, "c"],
  );
});

test("messages about older edits are dropped", () => {
  const { live, last, reply } = world();
  const heard = [];
  live.watch("a", (message) => heard.push(["a", message.edit]));
  last().onopen();
  live.watch("b", (message) => heard.push(["b", message.edit]));
  reply({ edit: 1, verdict: "unique" });
  reply({ edit: 2, looking: 1 });
  reply({ edit: 1, done: true });
  assert.deepEqual(heard, [["b", 2]]);
});

test("a lost connection is reopened after growing pauses and resends the newest edit", () => {
  const { made, live, last, tick } = world();
  const connections = [];
  live.onConnection((connection) => connections.push(connection));
  live.watch("a", () => {});
  last().onopen();
  const pauses = [];
  for (let round = 0; round < 4; round++) {
    last().onclose();
    pauses.push(made.timers.at(-1).ms);
    if (round === 1) live.watch("b", () => {});
    tick();
  }
  assert.deepEqual(pauses, [250, 500, 1000, 2000]);
  last().onopen();
  assert.deepEqual(last().sent, [{ edit: 2, puzzle: "b" }]);
  assert.deepEqual(connections, ["open", "lost", "open"]);
});

test("pauses stop growing", () => {
  const { made, live, last, tick } = world();
  live.watch("a", () => {});
  for (let round = 0; round < 12; round++) {
    last().onclose();
    if (round < 11) tick();
  }
  assert.equal(made.timers.at(-1).ms, 8000);
});

test("a server that refuses this page is distinguished from a missing one", async () => {
  const { made, live, last } = world();
  const connections = [];
  live.onConnection((connection) => connections.push(connection));
  made.refused = true;
  live.watch("a", () => {});
  last().onclose();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(connections, ["lost", "refused"]);
});

test("after the page stops, the server is informed and nothing is reported", () => {
  const { live, last, reply } = world();
  const heard = [];
  live.watch("a", (message) => heard.push(message));
  last().onopen();
  reply({ edit: 1, looking: 1 });
  live.watch(null);
  reply({ edit: 1, verdict: "unique" });
  assert.deepEqual(last().sent.at(-1), { edit: 2, puzzle: null });
  assert.deepEqual(heard, [{ edit: 1, looking: 1 }]);
});

test("nothing is opened or sent before the first edit", () => {
  const { made, live } = world();
  live.watch(null);
  assert.equal(made.sockets.length, 0);
});
