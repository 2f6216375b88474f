// The native core compiled to WebAssembly, and its memory: numbers in, numbers out.
//
// A puzzle here is plain: { height, width, numColours, rows, columns, given, picture }. Clues are
// lists of [length, colour], length 0 if it is unknown; `given` and `picture` are Uint8Arrays of a
// value a cell, 255 if it is unknown, or null.

const QUESTIONS = { verdict: 0, differing: 1, count: 2, clash: 3 };
const VERDICTS = ["unknown", "unique", "multiple", "unsolvable"];

/** Error: an answer would exceed the core's memory. */
export class OutOfMemoryError extends Error {
  constructor() {
    super("this takes more memory than the page has; nonosat on this machine may do it");
    this.name = "OutOfMemoryError";
  }
}

/**
 * The core.
 *
 * @param {WebAssembly.Module} module Of core.wasm.
 * @returns {Promise<{open: (puzzle: object) => CorePuzzle}>}
 */
export async function startCore(module) {
  const exports = await start(module);
  return { open: (puzzle) => new CorePuzzle(exports, puzzle) };
}

/**
 * The explainer, a module of its own.
 *
 * @param {WebAssembly.Module} module Of explain.wasm.
 * @returns {Promise<{techniques: object, open: (puzzle: object) => ExplainedPuzzle}>} `techniques`:
 *   the grade of each technique by its name, easiest first.
 */
export async function startExplainer(module) {
  const exports = await start(module);
  const lines = textAt(exports, exports.nonosat_explain_techniques()).trim().split("\n");
  const pairs = lines.map((line) => line.split(":"));
  const techniques = Object.fromEntries(pairs.map(([name, grade]) => [name, Number(grade)]));
  return { techniques, open: (puzzle) => new ExplainedPuzzle(exports, puzzle, techniques) };
}

/** Start a module; returns its functions. */
async function start(module) {
  let exports = null;
  const clock = (...args) => {
    const now = BigInt(Math.round(performance.now() * 1e6)); // ns
    new DataView(exports.memory.buffer).setBigUint64(args.at(-1), now, true);
    return 0;
  };
  const known = { clock_time_get: clock, emscripten_notify_memory_growth: () => {} };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    const fail = (...args) => {
      throw new Error(`the core called ${name}(${args})`); // it prints nothing and does not exit
    };
    (imports[from] ??= {})[name] = known[name] ?? fail;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  exports = instance.exports;
  exports._initialize();
  return exports;
}

/** Copy an array into a module's memory. */
function put(exports, array) {
  if (!array) return 0;
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const at = exports.nonosat_alloc(Math.max(1, bytes.length));
  if (!at) throw new OutOfMemoryError();
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

/** A list of numbers, which begins with its length. */
function listAt(exports, at) {
  const [size] = new Int32Array(exports.memory.buffer, at, 1);
  return [...new Int32Array(exports.memory.buffer, at + 4, size)];
}

/** A text with a final 0. */
function textAt(exports, at) {
  const bytes = new Uint8Array(exports.memory.buffer, at);
  return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

/** The clues of all lines as numbers. */
const numbersOf = ({ rows, columns }) =>
  Int32Array.from([...rows, ...columns].flatMap((clue) => [clue.length, ...clue.flat()]));

/** A puzzle in the core's memory. */
class CorePuzzle {
  constructor(exports, puzzle) {
    this.#exports = exports;
    this.#puzzle = puzzle;
    const clues = put(exports, numbersOf(puzzle));
    const given = put(exports, puzzle.given);
    const picture = put(exports, puzzle.picture);
    const { numColours, height, width } = puzzle;
    this.#session = exports.nonosat_open(numColours, height, width, clues, given, picture);
    for (const memory of [clues, given, picture]) exports.nonosat_free(memory);
    if (!this.#session) throw new OutOfMemoryError();
  }

  #exports;
  #puzzle;
  #session;

  /**
   * Work on a question for a number of milliseconds.
   *
   * @param {"verdict" | "differing" | "count" | "clash"} question
   * @param {number} milliseconds
   * @returns {boolean} True if it is answered.
   */
  run(question, milliseconds) {
    const done = this.#exports.nonosat_run(this.#session, QUESTIONS[question], milliseconds);
    if (done < 0) throw new OutOfMemoryError();
    return done === 1;
  }

  /** "unique", "multiple", "unsolvable", or "unknown" so far. */
  verdict() {
    return VERDICTS[this.#exports.nonosat_verdict(this.#session)];
  }

  /** A solution, a value a cell; null while none is known. */
  first() {
    return this.#cells(this.#exports.nonosat_first(this.#session));
  }

  /** A second solution, a value a cell; null while none is known. */
  second() {
    return this.#cells(this.#exports.nonosat_second(this.#session));
  }

  /** A 1 for each cell in which two known solutions differ. */
  differing() {
    return this.#cells(this.#exports.nonosat_differing(this.#session));
  }

  /** The number of solutions, or a lower bound, as a BigInt. */
  total() {
    const at = this.#exports.nonosat_total(this.#session);
    const [size] = new Uint32Array(this.#exports.memory.buffer, at, 1);
    const words = new Uint32Array(this.#exports.memory.buffer, at + 4, size);
    return words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  }

  /** Numbers of lines with contradictory clues, rows first; empty if unknown. */
  clash() {
    return listAt(this.#exports, this.#exports.nonosat_clash(this.#session));
  }

  /** Probability of each colour in each cell, an array per colour; null without any. */
  beliefs(rounds, damping, clamp) {
    const at = this.#exports.nonosat_beliefs(this.#session, rounds, damping, clamp);
    if (!at) return null;
    const size = this.#size();
    const plane = (colour) =>
      new Float64Array(this.#exports.memory.buffer, at + 8 * colour * size, size);
    return Array.from({ length: this.#puzzle.numColours }, (_, colour) => plane(colour).slice());
  }

  /** Free its memory; it must not be used afterwards. */
  close() {
    this.#exports.nonosat_close(this.#session);
    this.#session = 0;
  }

  #size() {
    return this.#puzzle.height * this.#puzzle.width;
  }

  #cells(at) {
    return at ? new Uint8Array(this.#exports.memory.buffer, at, this.#size()).slice() : null;
  }
}

const FOUND = {
  "-1": "memory",
  0: "stopped",
  1: "step",
  2: "nothing",
  3: "impossible",
  4: "stopped later",
};

/** The explanation of a puzzle in the explainer's memory. */
class ExplainedPuzzle {
  /**
   * @param {object} exports
   * @param {object} puzzle As for `CorePuzzle`, also with `known`, a value a cell, 255 if it is
   *   open; `names` of the values; and `isShort`, true if these are signs.
   * @param {object} techniques
   */
  constructor(exports, puzzle, techniques) {
    this.#exports = exports;
    this.#techniques = Object.keys(techniques);
    const { numColours, height, width, isShort } = puzzle;
    const parts = [
      put(exports, numbersOf(puzzle)),
      put(exports, puzzle.known),
      put(exports, new TextEncoder().encode(puzzle.names.map((name) => `${name}\0`).join(""))),
    ];
    this.#session = exports.nonosat_explain_open(numColours, height, width, ...parts, isShort);
    for (const memory of parts) exports.nonosat_free(memory);
    if (!this.#session) throw new OutOfMemoryError();
  }

  #exports;
  #techniques;
  #session;

  /**
   * Search for the next step for a number of milliseconds; the next call continues.
   *
   * @returns {"step" | "nothing" | "impossible" | "stopped" | "stopped later"} "stopped": no part
   *   of the search was completed, so that the same time may never suffice.
   */
  next(milliseconds) {
    const found = FOUND[this.#exports.nonosat_explain_next(this.#session, milliseconds)];
    if (found === "memory") throw new OutOfMemoryError();
    return found;
  }

  /** The sentence of the step, or the reason for "impossible". */
  sentence() {
    return textAt(this.#exports, this.#exports.nonosat_explain_sentence(this.#session));
  }

  /** A sentence about wrong marks, [cell, value] each. */
  wrong(marks) {
    const pairs = put(this.#exports, Int32Array.from(marks.flat()));
    const text = this.#exports.nonosat_explain_wrong(this.#session, pairs, marks.length);
    this.#exports.nonosat_free(pairs);
    if (!text) throw new OutOfMemoryError();
    return textAt(this.#exports, text);
  }

  /** The number of the line for "impossible". */
  brokenLine() {
    return this.#exports.nonosat_explain_broken_line(this.#session);
  }

  /** Numbers of the steps so far on which the cells that the last one settles depend. */
  needed() {
    return listAt(this.#exports, this.#exports.nonosat_explain_needed(this.#session));
  }

  /**
   * The step: `{technique, lines, settled, ruledOut, assumed, chain, sentence}`. Lines are numbers,
   * rows first; `settled` and `ruledOut` are lists of [cell, value]; `assumed` is such a pair or
   * null, its value 255 for all values; `chain` is a list of [line, pairs].
   */
  step() {
    let at = this.#exports.nonosat_explain_step(this.#session) / 4;
    const numbers = new Int32Array(this.#exports.memory.buffer); // the call may have grown it
    const next = () => numbers[at++];
    const list = (item) => Array.from({ length: next() }, item);
    const pair = () => [next(), next()];
    const technique = this.#techniques[next()];
    const [lines, settled, ruledOut] = [list(next), list(pair), list(pair)];
    const assumed = pair();
    const chain = list(() => [next(), list(pair)]);
    const sentence = this.sentence();
    return {
      technique,
      lines,
      settled,
      ruledOut,
      assumed: assumed[0] < 0 ? null : assumed,
      chain,
      sentence,
    };
  }

  /** Free its memory; it must not be used afterwards. */
  close() {
    this.#exports.nonosat_explain_close(this.#session);
    this.#session = 0;
  }
}
