// The core's worker thread. It receives { edit, sent } (a puzzle to judge; null: none), { id,
// question, body }, and { drop: id }; it sends { edit, ...message }, { id, progress } and { id,
// answer } or { id, error }. It handles messages every few milliseconds during any work.

import { judged } from "./core_live.js";
import { startCore, startExplainer } from "./core_native.js";
import { EXPLAINED, QUESTIONS } from "./core_questions.js";

const now = () => performance.now();
const compile = (name) =>
  fetch(new URL(name, import.meta.url))
    .then((reply) =>
      reply.ok ? reply.arrayBuffer() : Promise.reject(new Error(`status ${reply.status}`)),
    )
    .then((bytes) => WebAssembly.compile(bytes));
const compiled = compile("core.wasm");
let core = compiled.then(startCore);
let explainer = null; // started by the first question that needs it
let edit = 0; // the newest
const switches = []; // that earlier edits had
const dropped = new Set();

/** Handle pending messages; timers would take 4 ms each. */
const breath = new MessageChannel();
const waiting = [];
breath.port1.onmessage = () => waiting.shift()();
const pause = () =>
  new Promise((resolve) => {
    waiting.push(resolve);
    breath.port2.postMessage(null);
  });

addEventListener("message", ({ data }) => {
  if ("edit" in data) judge(data);
  else if ("drop" in data) dropped.add(data.drop);
  else answer(data);
});

async function judge({ edit: mine, sent }) {
  edit = mine;
  postMessage({ edit: mine, begun: true });
  if (sent === null) return;
  try {
    const messages = judged(await core, sent, now, switches);
    for (const message of messages) {
      if (message) postMessage({ edit: mine, ...message });
      await pause();
      if (edit !== mine) break; // which closes the puzzle
    }
  } catch (error) {
    restart();
    postMessage({ edit: mine, verdict: "unknown", reason: reasonOf(error) });
    postMessage({ edit: mine, done: true });
  }
}

async function answer({ id, question, body }) {
  try {
    if (EXPLAINED.has(question)) explainer ??= compile("explain.wasm").then(startExplainer);
    const work = QUESTIONS[question](await core, body, now, await explainer);
    for (;;) {
      const { done, value } = work.next();
      if (done) return postMessage({ id, answer: value });
      if (value) postMessage({ id, progress: value });
      await pause();
      if (dropped.delete(id)) return work.return();
    }
  } catch (error) {
    const isOurs = Boolean(error.kind);
    if (!isOurs) restart();
    postMessage({
      id,
      error: isOurs
        ? { kind: error.kind, message: error.message }
        : { kind: "BackendError", message: reasonOf(error) },
    });
  }
}

/** Replace the modules after a failure: their memory may be corrupt. */
function restart() {
  core = compiled.then(startCore);
  explainer = null;
}

const reasonOf = (error) => `the page's own solver failed: ${error.message}`;
