// Repairs of the current puzzle: proposals as changes of cells or clues, and sentences for them.

import { fromPicture, withCells, withPuzzle } from "../state/document.js";
import { puzzleOf, shapeOf, valueOf } from "../play/puzzle.js";

/** Maximum number of repairs: usually, and if all of one cell are requested. */
export const MOST = 5;
export const MOST_SHOWN = 200;

/** The initial slice of the state; the selected grade is kept. */
export function initial(kept) {
  return {
    grade: kept?.grade ?? 0,
    status: "idle",
    puzzle: null,
    proposals: [],
    least: 0,
    complete: false,
    at: 0,
    message: "",
    known: null, // while the question runs: { best: proposal or null, least }
  };
}

/** The part that survives a reload. */
export function keep(slice) {
  return { grade: slice.grade };
}

/** The slice after an action; proposals for a puzzle that has changed since are dropped. */
export function reduce(slice, action, state) {
  if (slice.puzzle !== null && slice.puzzle !== shapeOf(state.doc)) return initial(slice);
  switch (action.type) {
    case "mend/grade":
      return initial({ grade: action.grade });
    case "mend/requested":
      return { ...initial(slice), status: "searching", puzzle: shapeOf(state.doc) };
    case "mend/progress":
      return slice.status === "searching" && slice.puzzle === action.puzzle
        ? { ...slice, known: { best: action.best, least: action.least } }
        : slice;
    case "mend/best": {
      const { best, least } = slice.known ?? {};
      return best ? found(slice, { proposals: [best], least, complete: false }) : slice;
    }
    case "mend/found":
      return slice.puzzle === action.puzzle ? found(slice, action) : slice;
    case "mend/failed":
      return slice.puzzle === action.puzzle
        ? { ...initial(slice), status: "failed", message: action.message }
        : slice;
    case "mend/step": {
      const count = slice.proposals.length;
      return count ? { ...slice, at: (slice.at + action.by + count) % count } : slice;
    }
    case "mend/drop":
      return initial(slice);
    default:
      return slice;
  }
}

function found(slice, { proposals, least, complete, reason }) {
  const status = proposals.length ? "found" : "none";
  const message = reason ?? "";
  return { ...slice, status, proposals, least, complete, message, at: 0, known: null };
}

/** The protected cells, in the form of the question. */
export function keptCells(doc) {
  if (!doc.protected) return [];
  return Array.from(doc.protected.keys())
    .filter((at) => doc.protected[at])
    .map((at) => [Math.floor(at / doc.width), at % doc.width]);
}

/**
 * The repairs in an answer.
 *
 * @param {object} answer `RepairResult.to_data()`, of a picture or of clues.
 * @param {object} doc The document of the question.
 * @returns {{changes: {row, column, colour}[], clues: {row, column, clue, was}[], picture:
 *   string[]|null}[]} For pictures `changes` (colour 0 is empty), for clues `clues` (clue "." if
 *   one is removed).
 */
export function proposalsOf(answer, doc) {
  const puzzle = puzzleOf(doc);
  return answer.repairs.map((repair) => {
    if (!repair.changes) return { changes: [], clues: cluesIn(repair), picture: null };
    const changes = repair.changes.map(([row, column, sign]) => ({
      row,
      column,
      colour: valueOf(sign, puzzle, answer.legend),
    }));
    return { changes, clues: [], picture: repair.picture };
  });
}

function cluesIn({ taken, added }) {
  const isAdded = ([row, column]) => added.some((other) => other[0] === row && other[1] === column);
  const gone = taken.filter((place) => !isAdded(place)).map(([row, column]) => [row, column, "."]);
  return [...gone, ...added].map(([row, column, clue]) => ({ row, column, clue: String(clue) }));
}

/** The document after a repair. */
export function repaired(doc, proposal) {
  if (proposal.clues.length) return withPuzzle(doc, withClues(doc.puzzle, proposal.clues));
  if (doc.kind === "picture") {
    const cells = doc.cells.slice();
    for (const { row, column, colour } of proposal.changes)
      cells[row * doc.width + column] = colour;
    return withCells(doc, cells);
  }
  return pictureOf(doc, proposal, puzzleOf(doc));
}

/** Create a picture by a repair of a puzzle that has none. */
function pictureOf(doc, proposal, puzzle) {
  const letters = ".abcdefghijklmnop";
  const picture = proposal.picture.map((row) =>
    [...row].map((sign) => letters[valueOf(sign, puzzle)]).join(""),
  );
  const colours = Object.fromEntries(doc.palette.map((colour, at) => [letters[at + 1], colour]));
  const { background, about } = doc;
  return fromPicture({ picture, colours, background, ...about }, doc.title, doc.author);
}

function withClues(data, clues) {
  const rows = data.rows.map((text) => [...text]);
  for (const { row, column, clue } of clues) rows[row][column] = clue;
  return { ...data, rows: rows.map((row) => row.join("")) };
}

/** The number of cells or clues that a repair changes. */
export function sizeOf(proposal) {
  return proposal.changes.length + proposal.clues.length;
}

/** A repair in words; long ones name their first changes. */
export function proposalInWords(proposal, isColoured) {
  const size = sizeOf(proposal);
  const what = proposal.clues.length ? "clue" : "cell";
  const texts = [
    ...proposal.changes.map((change) => changeInWords(change, isColoured)),
    ...proposal.clues.map(clueInWords),
  ];
  const few = texts.slice(0, 4).join("; ");
  const more = size > 4 ? `; and ${size - 4} more` : "";
  return `Changes ${size} ${what}${size === 1 ? "" : "s"}: ${few}${more}.`;
}

function changeInWords({ row, column, colour }, isColoured) {
  const value = colour === 0 ? "empty" : isColoured ? `colour ${colour}` : "filled";
  return `row ${row + 1}, column ${column + 1} becomes ${value}`;
}

function clueInWords({ row, column, clue }) {
  const value = clue === "." ? "loses its clue" : `gets the clue ${clue}`;
  return `row ${row + 1}, column ${column + 1} ${value}`;
}

/** True if the answer proves that no repair changes fewer cells. */
export function isProven(slice, proposal) {
  return slice.least > 0 && sizeOf(proposal) === slice.least;
}

/**
 * Progress of the search for repairs, in words.
 *
 * @param {{best: object|null, least: number}|null} known
 * @param {boolean} isMultiple True if the puzzle is known to have several solutions.
 */
export function progressInWords(known, isMultiple) {
  const least = Math.max(known?.least ?? 0, isMultiple ? 1 : 0);
  const bound = `At least ${least} cell${least === 1 ? "" : "s"} must change`;
  if (known?.best) {
    const size = sizeOf(known.best);
    const best = `best so far changes ${size}.`;
    return least ? `${bound}; the ${best}` : `The ${best}`;
  }
  return least ? `${bound}; no repair found yet.` : "No repair found yet.";
}

/** The bound on the size of repairs, in words. */
export function proofInWords(slice, proposal) {
  if (isProven(slice, proposal)) return "Proved smallest: no repair changes fewer cells.";
  if (slice.least > 0) {
    const [size, what] = [sizeOf(proposal), proposal.clues.length ? "clue" : "cell"];
    const bound = `At least ${slice.least} ${what}${slice.least === 1 ? "" : "s"} must change`;
    return `${bound}; this changes ${size}.`;
  }
  return "A smaller repair may exist.";
}
