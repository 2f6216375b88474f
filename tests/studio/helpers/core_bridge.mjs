// Answers of the page without a server: reads { folder, asked: [[query, body], ...] } as JSON from
// standard input (folder: that of core.wasm and explain.wasm), prints a list of answers. The query "watch" is
// answered by all messages of the live verdict, merged.

import { readFileSync } from "node:fs";
import { judged } from "../../../nonosat/studio/page/answers/core_live.js";
import { startCore, startExplainer } from "../../../nonosat/studio/page/answers/core_native.js";
import { QUESTIONS } from "../../../nonosat/studio/page/answers/core_questions.js";
import { merge } from "../../../nonosat/studio/page/verdict/model.js";

const { folder, asked } = JSON.parse(readFileSync(0, "utf8"));
const compiled = (name) => new WebAssembly.Module(readFileSync(`${folder}/${name}`));
const core = await startCore(compiled("core.wasm"));
const explainer = await startExplainer(compiled("explain.wasm"));
performance.now = () => 0; // a slice ends with its answer, and no limit is hit on a slow machine
const now = () => performance.now();

const switches = [];

function watched(sent) {
  let known = {};
  for (const message of judged(core, sent, now, switches))
    if (message) known = merge(known, message);
  return known;
}

function answered(question, body) {
  const work = QUESTIONS[question](core, body, now, explainer);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const answers = asked.map(([question, body]) => {
  try {
    return question === "watch" ? watched(body.puzzle) : answered(question, body);
  } catch (error) {
    return { error: { kind: error.kind, message: error.message } };
  }
});
console.log(JSON.stringify(answers));
