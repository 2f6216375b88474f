// How long the page's own answerer takes for a verdict after a stroke. wasm.md has the results.
//
//     nonosat studio --static site && node benchmarks/studio/wasm.mjs site

import { readFileSync, statSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { resolve } from "node:path";
import { judged } from "../../nonosat/studio/page/answers/core_live.js";
import { startCore } from "../../nonosat/studio/page/answers/core_native.js";
import { readSent } from "../../nonosat/studio/page/answers/core_puzzle.js";
import { blank, toSent, withCells } from "../../nonosat/studio/page/state/document.js";

const site = resolve(process.argv[2]);
const STROKES = 200;
const bytes = readFileSync(`${site}/core.wasm`);
const core = await startCore(new WebAssembly.Module(bytes));
const kib = (size) => `${(size / 1024).toFixed(0)} KiB`;
console.log(
  `core.wasm: ${kib(statSync(`${site}/core.wasm`).size)}, packed ${kib(gzipSync(bytes).length)}; node ${process.version}\n`,
);

let seed = 22;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};

const now = () => performance.now();
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds of processor time to the verdict; what is told behind it is not timed. */
function timed(doc, switches) {
  const sent = toSent(doc);
  const started = spent();
  let found = null;
  for (const message of judged(core, sent, now, switches)) {
    if (message?.verdict && !found) found = { ms: spent() - started, verdict: message.verdict };
    if (message?.differing && found) break;
  }
  return found;
}

/** Strokes of a cell each, one after another, from a drawing. */
function strokes(name, start) {
  let doc = start;
  const times = [];
  const verdicts = {};
  const switches = [];
  for (let stroke = 0; stroke < STROKES; stroke += 1) {
    const cells = doc.cells.slice();
    const at = Math.floor(random() * cells.length);
    cells[at] =
      (cells[at] + 1 + Math.floor(random() * doc.palette.length)) % (doc.palette.length + 1);
    doc = withCells(doc, cells);
    const { ms, verdict } = timed(doc, switches);
    times.push(ms);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
  }
  return told(name, times, verdicts);
}

function told(name, times, verdicts) {
  times.sort((one, other) => one - other);
  const at = (share) =>
    times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(1);
  const within = times.filter((ms) => ms <= 50).length / times.length;
  const parts = Object.entries(verdicts)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(", ");
  console.log(
    `| ${name} | ${times.length} | ${at(0.5)} | ${at(0.95)} | ${times.at(-1).toFixed(1)} | ${(100 * within).toFixed(1)} % | ${parts} |`,
  );
}

function noise(height, width, share, colours = 1) {
  const doc = blank(height, width, {
    palette: ["#1a1a1a", "#c8372d", "#2f6fb5"].slice(0, colours),
  });
  const cells = doc.cells.map(() => (random() < share ? 1 + Math.floor(random() * colours) : 0));
  return withCells(doc, cells);
}

console.log(
  "| drawing | strokes | median CPU ms | 95 % | most | within 50 ms | verdicts |\n|---|---|---|---|---|---|---|",
);
for (let number = 0; number < 3; number += 1) timed(noise(30, 30, 0.6), []); // compiled by then
for (const share of [0.4, 0.5, 0.55, 0.6, 0.7])
  strokes(`noise 30x30, ${Math.round(100 * share)} %`, noise(30, 30, share));
strokes("noise 30x30, 60 %, 3 colours", noise(30, 30, 0.6, 3));
strokes("noise 50x50, 60 %", noise(50, 50, 0.6));
strokes("noise 100x100, 70 %", noise(100, 100, 0.7));
const gallery = JSON.parse(readFileSync(`${site}/gallery.json`, "utf8"));
for (const title of ["Owl", "Lighthouse", "Hot-air balloon", "Castle by moonlight"]) {
  const { puzzle } = gallery.flatMap(({ puzzles }) => puzzles).find((one) => one.title === title);
  const { core: asked, doc } = readSent({ puzzle });
  const opened = core.open(asked);
  while (!opened.run("verdict", 1000));
  const { height, width, palette } = doc;
  strokes(
    `“${title}” ${height}x${width}, ${palette.length} colours`,
    withCells(blank(height, width, { palette }), opened.first()),
  );
  opened.close();
}
