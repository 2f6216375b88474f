// The state of a game: marks, strokes, undo, hints, time. Pure.

import { cornersOf, edgeAt, edgeCount, isLoopSolved } from "../board/lattice.js";
import { puzzleOf, shapeOf, valueOf } from "./puzzle.js";
import { USUAL } from "./options.js";
import { crossedOut, isSolved } from "./rules.js";
import { applied, difference, dragged, painted } from "./strokes.js";

const MOST_STEPS = 1000;

/** The slice before a puzzle is played. */
export function initial() {
  return {
    shape: null,
    name: "",
    marks: null,
    past: [],
    future: [],
    stroke: null,
    tool: "fill",
    colour: 1,
    options: USUAL,
    seconds: 0,
    isBegun: false,
    isSolved: false,
    hint: null,
    wrong: [],
    note: "",
    pending: "",
  };
}

/** The slice after an action; another puzzle ends the game (its progress is stored separately). */
export function reduce(slice, action, state) {
  if (slice.shape !== null && slice.shape !== shapeOf(state.doc)) slice = initial();
  if (action.type === "play/begin") return begun(action, state);
  if (!action.type.startsWith("play/") || !slice.marks) return slice;
  const puzzle = puzzleOf(state.doc);
  const change = CHANGES[action.type.slice(5)];
  return change ? change(slice, action, puzzle) : slice;
}

/** Initial marks of a puzzle: only given places are set. */
export function firstMarks(puzzle) {
  const count =
    puzzle.family === "slitherlink"
      ? edgeCount(puzzle.height, puzzle.width)
      : puzzle.height * puzzle.width;
  const marks = new Uint8Array(count).fill(255);
  for (const [row, column, value] of puzzle.given ?? []) marks[row * puzzle.width + column] = value;
  return marks;
}

/** The places that are given. */
export function fixedIn(puzzle) {
  return new Set((puzzle.given ?? []).map(([row, column]) => row * puzzle.width + column));
}

/** True if marks solve a puzzle by its rules. */
export function solves(puzzle, marks) {
  return puzzle.family === "slitherlink"
    ? isLoopSolved(puzzle.clues, marks, puzzle.height, puzzle.width)
    : isSolved(puzzle, marks);
}

function begun({ name, kept, options = USUAL }, state) {
  const puzzle = puzzleOf(state.doc);
  const open = firstMarks(puzzle);
  const game = kept?.marks?.length === open.length ? kept : null;
  const first = crossing(puzzle, options, null, open);
  const marks = game ? crossing(puzzle, options, null, game.marks) : first;
  const seconds = game?.seconds ?? 0;
  return {
    ...initial(),
    shape: shapeOf(state.doc),
    name,
    marks,
    options,
    past: game?.past ?? [],
    seconds,
    // The stored game of a new start is empty: its time runs from the first mark.
    isBegun: seconds > 0 || difference(marks, first) !== null,
    isSolved: solves(puzzle, marks),
  };
}

/** Marks with finished lines crossed out as the options require; see `crossedOut`. */
function crossing(puzzle, options, before, marks) {
  const isCrossing = options.crosses && puzzle.family === "nonogram";
  return isCrossing ? crossedOut(puzzle, before, marks) : marks;
}

const CHANGES = {
  tool: (slice, { tool }) => ({ ...slice, tool }),
  colour: (slice, { colour }) => ({ ...slice, colour, tool: "fill" }),
  option: chosen,
  tick: (slice) =>
    slice.isBegun && !slice.isSolved ? { ...slice, seconds: slice.seconds + 1 } : slice,
  down: (slice, { place, to }, puzzle) => {
    if (slice.isSolved || fixedIn(puzzle).has(place)) return slice;
    const stroke = {
      base: slice.marks,
      was: slice.marks[place],
      to,
      from: place,
      places: [place],
      axis: null,
    };
    return {
      ...slice,
      stroke,
      isBegun: true,
      marks: painted(slice.marks, [place], null, to, new Set()),
    };
  },
  over: (slice, { place }, puzzle) => (slice.stroke ? over(slice, place, puzzle) : slice),
  up: (slice, _, puzzle) => (slice.stroke ? settled(slice, slice.stroke.base, puzzle) : slice),
  cancel: (slice) => (slice.stroke ? { ...slice, marks: slice.stroke.base, stroke: null } : slice),
  set: (slice, { places, to }, puzzle) => {
    if (slice.isSolved) return slice;
    const fixed = fixedIn(puzzle);
    const marks = slice.marks.slice();
    places.forEach(
      (place, at) => fixed.has(place) || (marks[place] = Array.isArray(to) ? to[at] : to),
    );
    return settled({ ...slice, marks, isBegun: true }, slice.marks, puzzle);
  },
  undo: (slice, _, puzzle) => moved(slice, "past", "future", "before", puzzle),
  redo: (slice, _, puzzle) => moved(slice, "future", "past", "after", puzzle),
  restart: restarted,
  more: (slice) => (slice.hint ? { ...slice, hint: { ...slice.hint, hasCells: true } } : slice),
  requested: (slice, { what }) => ({ ...slice, pending: what, note: "" }),
  failed: (slice, { message }) => ({ ...slice, pending: "", note: message }),
  checked: (slice, { found, marks }, puzzle) =>
    slice.marks === marks ? checked(slice, found, puzzle) : { ...slice, pending: "" },
  mistaken: (slice, { found, marks }, puzzle) =>
    slice.marks === marks ? { ...slice, wrong: marksIn(found.wrong, found, puzzle) } : slice,
  hinted: (slice, { found, marks }, puzzle) =>
    slice.marks === marks ? hinted(slice, found, puzzle) : { ...slice, pending: "" },
};

/** Set an option; lines that are finished already are crossed out as a step of history. */
function chosen(slice, { name, value }, puzzle) {
  const next = { ...slice, options: { ...slice.options, [name]: value } };
  if (name === "mistakes" && !value) return { ...next, wrong: [] };
  if (name !== "crosses" || slice.isSolved || slice.stroke) return next;
  const marks = crossing(puzzle, next.options, null, slice.marks);
  return difference(slice.marks, marks) ? settled({ ...next, marks }, slice.marks, puzzle) : next;
}

/** Empty the board, as a step that can be undone. */
function restarted({ shape, name, tool, colour, options, marks, past }, _, puzzle) {
  const first = crossing(puzzle, options, null, firstMarks(puzzle));
  const step = difference(marks, first);
  const steps = step ? [...past, step].slice(-MOST_STEPS) : past;
  return { ...initial(), shape, name, tool, colour, options, marks: first, past: steps };
}

/** Continue a drag: along one line of cells; over edges it includes all edges on its way. */
function over(slice, place, puzzle) {
  const { stroke } = slice;
  const { places, axis } = passed(stroke, place, puzzle);
  const fixed = fixedIn(puzzle);
  const marks = painted(stroke.base, places, stroke.was, stroke.to, fixed);
  return { ...slice, stroke: { ...stroke, places, axis }, marks };
}

function passed(stroke, place, { family, width }) {
  if (family === "slitherlink")
    return { places: [...new Set([...stroke.places, place])], axis: null };
  const cellOf = (at) => ({ row: Math.floor(at / width), column: at % width });
  const { cells, axis } = dragged(cellOf(stroke.from), cellOf(place), stroke.axis);
  return { places: cells.map(({ row, column }) => row * width + column), axis };
}

/** Make changed marks a step of history; update reports about them. */
function settled(slice, before, puzzle) {
  const marks = crossing(puzzle, slice.options, before, slice.marks);
  const step = difference(before, marks);
  if (!step) return { ...slice, stroke: null };
  const next = {
    ...slice,
    marks,
    stroke: null,
    past: [...slice.past, step].slice(-MOST_STEPS),
    future: [],
    isSolved: solves(puzzle, marks),
  };
  return revised(next, step.places);
}

function moved(slice, from, onto, side, puzzle) {
  const step = slice[from].at(-1);
  if (!step || slice.isSolved || slice.stroke) return slice;
  const next = {
    ...slice,
    marks: applied(slice.marks, step, side),
    [from]: slice[from].slice(0, -1),
    [onto]: [...slice[onto], step],
    isBegun: true,
  };
  return revised({ ...next, isSolved: solves(puzzle, next.marks) }, step.places);
}

/**
 * Remove a hint once its places are marked, or another place is, and a mistake once its place has
 * changed.
 */
function revised(slice, places) {
  if (slice.isSolved) return { ...slice, wrong: [], hint: null, note: "" };
  const wrong = slice.wrong.filter(({ place, value }) => slice.marks[place] === value);
  const { todo = [] } = slice.hint ?? {};
  const isDone = todo.every(({ place, value }) => slice.marks[place] === value);
  const isFollowed = places.some((place) => todo.some((one) => one.place === place));
  return { ...slice, wrong, hint: isDone || !isFollowed ? null : slice.hint, note: "" };
}

/** Convert a mark of the library to a place and its value. */
export function placeAndValue(mark, puzzle, legend) {
  const { family, height, width } = puzzle;
  const place = family === "slitherlink" ? edgeAt(height, width, mark) : mark[0] * width + mark[1];
  return { place, value: valueOf(mark.at(-1), puzzle, legend) };
}

/** Position of a place on the board: `{ row, column }`, or `{ edge }`. */
export function whereIs(place, { family, height, width }) {
  if (family === "slitherlink") return { edge: cornersOf(height, width, place) };
  return { row: Math.floor(place / width), column: place % width };
}

const marksIn = (marks, found, puzzle) =>
  marks.map((mark) => placeAndValue(mark, puzzle, found.legend));

function checked(slice, found, puzzle) {
  const wrong = marksIn(found.wrong, found, puzzle);
  const count = wrong.length;
  const one = "1 mark is wrong: no solution has it.";
  const many = `${count} marks are wrong: no solution has them.`;
  const note = count === 0 ? "All marks agree with a solution so far." : count === 1 ? one : many;
  return { ...slice, wrong, note, pending: "", hint: null };
}

function hinted(slice, found, puzzle) {
  const wrong = marksIn(found.wrong, found, puzzle);
  const { step } = found;
  const hint = step && {
    sentence: found.sentence,
    before: (found.before ?? []).map(({ sentence }) => sentence),
    technique: step.technique,
    todo: marksIn(step.settled, found, puzzle),
    lines: step.lines ?? [],
    hasCells: !step.lines?.length, // at first only the lines are shown
    step,
  };
  return { ...slice, pending: "", hint, wrong, note: hint ? "" : found.sentence };
}
