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
  return { open: (puzzle) => new CorePuzzle(exports, puzzle) };
}

/** A puzzle in the core's memory. */
class CorePuzzle {
  constructor(exports, puzzle) {
    this.#exports = exports;
    this.#puzzle = puzzle;
    const numbers = [...puzzle.rows, ...puzzle.columns].flatMap((clue) => [
      clue.length,
      ...clue.flat(),
    ]);
    const clues = this.#put(Int32Array.from(numbers));
    const given = this.#put(puzzle.given);
    const picture = this.#put(puzzle.picture);
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
    return this.#list(this.#exports.nonosat_clash(this.#session));
  }

  /**
   * A line that decides cells by itself.
   *
   * @param {Uint8Array} known A value a cell, 255 if it is open.
   * @returns {{line: number, isPossible: boolean, settled: [number, number][]} | null} Null if no
   *   line does; not possible if the line has no filling; decided cells with their values.
   */
  nextLine(known) {
    const cells = this.#put(known);
    const at = this.#exports.nonosat_next_line(this.#session, cells);
    this.#exports.nonosat_free(cells);
    if (!at) throw new OutOfMemoryError();
    const [line, isPossible, size] = new Int32Array(this.#exports.memory.buffer, at, 3);
    if (line < 0) return null;
    const flat = new Int32Array(this.#exports.memory.buffer, at + 12, 2 * size);
    const settled = Array.from({ length: size }, (_, i) => [flat[2 * i], flat[2 * i + 1]]);
    return { line, isPossible: isPossible === 1, settled };
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

  #put(array) {
    if (!array) return 0;
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const at = this.#exports.nonosat_alloc(Math.max(1, bytes.length));
    if (!at) throw new OutOfMemoryError();
    new Uint8Array(this.#exports.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  #cells(at) {
    return at ? new Uint8Array(this.#exports.memory.buffer, at, this.#size()).slice() : null;
  }

  #list(at) {
    const [size] = new Int32Array(this.#exports.memory.buffer, at, 1);
    return [...new Int32Array(this.#exports.memory.buffer, at + 4, size)];
  }
}
