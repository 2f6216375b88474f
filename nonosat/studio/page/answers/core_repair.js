// Repairs of one or two cells by enumeration: a repair found is smallest, and that no single cell
// is sufficient is known because every cell was tried.
//
// A change outside all rows and columns in which two solutions differ keeps both of them solutions
// of the changed picture's clues. Given two solutions, a repair therefore has a cell in such a
// line: only these cells are tried, and after a first change only the lines of the next second
// solution.

import { AnswerError } from "./errors.js";
import { checkSolution, rowsOf } from "./core_puzzle.js";
import { clueOfColumn, clueOfRow } from "../state/clues.js";

const SECONDS = 20;
const CHECK_MS = 1000; // for one changed picture; beyond it the picture counts as unknown

/**
 * Answer the question `repair` for a drawn picture.
 *
 * @returns {Generator<object|void, object>} As `RepairResult.to_data()`: `least` is a lower bound
 *   on the changes of a repair, `complete` is true if all repairs of that size were tried. Yields
 *   partial results of the same form.
 */
export function* repaired(core, { doc, puzzle, isPicture }, wishes, now) {
  if (!isPicture)
    throw new AnswerError(
      "UnsupportedError",
      "This page repairs pictures; nonosat on your computer repairs clues.",
    );
  if (wishes.grade)
    throw new AnswerError(
      "UnsupportedError",
      "nonosat on your computer rates difficulties; this page makes pictures unique.",
    );
  const search = new Search(core, doc, puzzle, wishes, now);
  yield* search.run();
  return search.answer();
}

class Search {
  constructor(core, doc, puzzle, { keep = [], most = 1, seconds = SECONDS }, now) {
    this.core = core;
    this.puzzle = puzzle;
    this.cells = doc.cells;
    this.colours = doc.palette.length;
    this.kept = new Set(keep.map(([row, column]) => row * puzzle.width + column));
    this.most = most;
    this.now = now;
    this.started = now();
    this.end = this.started + 1000 * seconds;
    this.found = []; // lists of [cell, value]
    this.least = 0;
    this.isSure = true; // every picture so far was judged
    this.isWhole = false; // all of the size `least` were tried
  }

  *run() {
    const rival = yield* this.rivalOf(this.cells);
    if (rival === null) {
      this.found = [[]];
      this.isWhole = true;
      return;
    }
    this.least = 1;
    yield this.answer();
    if (!rival) return;
    const singles = [];
    yield* this.tryAll([], rival, (changes, other) => singles.push([changes, other]));
    this.isWhole = this.isSure && !this.isOver();
    if (this.found.length || !this.isWhole) return;
    this.least = 2;
    this.isWhole = false;
    yield this.answer();
    for (const [changes, other] of singles) {
      yield* this.tryAll(changes, other, () => {});
      if (this.isOver() || this.found.length >= this.most) return;
    }
    this.isWhole = this.isSure;
    if (!this.found.length && this.isWhole) this.least = 3;
  }

  /** Try every cell of the lines in which a rival differs, in addition to changes already made. */
  *tryAll(changes, { cells, rival }, onRival) {
    for (const [at, value] of this.candidates(changes, cells, rival)) {
      if (this.isOver() || this.found.length >= this.most) return;
      const changed = cells.slice();
      changed[at] = value;
      const made = [...changes, [at, value]];
      const other = yield* this.rivalOf(changed);
      if (other === null) {
        this.add(made);
        yield this.answer();
      } else if (other) onRival(made, other);
    }
  }

  /** Changes of one cell, differing cells first, because the page shows these as disputed. */
  *candidates(changes, cells, rival) {
    const { height, width } = this.puzzle;
    const isIn = (at) => cells[at] !== rival[at];
    const rows = new Set();
    const columns = new Set();
    for (let at = 0; at < cells.length; at += 1) {
      if (!isIn(at)) continue;
      rows.add(Math.floor(at / width));
      columns.add(at % width);
    }
    const places = [];
    for (let at = 0; at < height * width; at += 1) {
      const isNear = rows.has(Math.floor(at / width)) || columns.has(at % width);
      const isFree = !this.kept.has(at) && !changes.some(([changed]) => changed === at);
      if (isNear && isFree) places.push(at);
    }
    places.sort((one, other) => isIn(other) - isIn(one) || one - other);
    for (const at of places) {
      for (let value = 0; value <= this.colours; value += 1)
        if (value !== cells[at]) yield [at, value];
    }
  }

  /** Another solution of a picture's clues; null if there is none, undefined if unknown. */
  *rivalOf(cells) {
    const opened = this.core.open(this.coreOf(cells));
    try {
      yield;
      if (!opened.run("verdict", CHECK_MS)) {
        this.isSure = false;
        return undefined;
      }
      if (opened.verdict() === "unique") return null;
      const rival = opened.second();
      checkSolution({ ...this.puzzle, ...cluesOf(cells, this.puzzle), given: [] }, rival);
      return { cells, rival };
    } finally {
      opened.close();
    }
  }

  coreOf(cells) {
    const { height, width } = this.puzzle;
    const { rowClues, columnClues } = cluesOf(cells, this.puzzle);
    const plain = (clue) => clue.map(({ length, colour }) => [length, colour]);
    return {
      height,
      width,
      numColours: this.colours,
      given: null,
      picture: cells,
      rows: rowClues.map(plain),
      columns: columnClues.map(plain),
    };
  }

  add(changes) {
    const name = (list) => list.map(String).sort().join(";");
    if (!this.found.some((other) => name(other) === name(changes))) this.found.push(changes);
  }

  isOver() {
    return this.now() > this.end;
  }

  answer() {
    const { puzzle, cells, found, least, isWhole } = this;
    const repairs = found.map((changes) => {
      const picture = cells.slice();
      for (const [at, value] of changes) picture[at] = value;
      const listed = changes.map(([at, value]) => [
        Math.floor(at / puzzle.width),
        at % puzzle.width,
        puzzle.signs[value],
      ]);
      return { changes: listed, picture: rowsOf(picture, puzzle) };
    });
    return {
      picture: rowsOf(cells, puzzle),
      repairs,
      least,
      complete: isWhole,
      reason: this.reason(),
      seconds: (this.now() - this.started) / 1000,
    };
  }

  reason() {
    if (this.found.length) return "";
    if (this.least === 3)
      return "no change of one or two cells suffices; nonosat on your computer finds larger repairs";
    if (this.least === 2)
      return "no change of a single cell suffices, and the time was too short for all pairs of cells";
    return "the time was too short to try every cell";
  }
}

function cluesOf(cells, { height, width }) {
  return {
    rowClues: Array.from({ length: height }, (_, row) => clueOfRow(cells, width, row)),
    columnClues: Array.from({ length: width }, (_, at) => clueOfColumn(cells, width, height, at)),
  };
}
