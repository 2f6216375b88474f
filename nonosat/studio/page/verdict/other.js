// Content of the button "Other solution": a solution in place of the drawing, or of the clues.

import { AnswerError } from "../answers/errors.js";
import { edgesAroundInside, rowsOfEdges } from "../board/lattice.js";
import { cellsOf } from "../play/puzzle.js";
import { otherSolution } from "./model.js";

/**
 * The solution to show, from an answer to `solve`. A search that ended early may be incomplete: if
 * nothing can be shown, an error states the reason.
 *
 * @param {object} found The answer: `{ verdict, solutions, legend, reason }`.
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {object} doc
 * @param {string} [judged] The live verdict, which may be more recent.
 * @returns {object} `{ isOnly, edges }` of a loop, else `{ isOnly, cells, differing }`.
 */
export function otherOf(found, puzzle, doc, judged) {
  const { verdict, solutions } = found;
  if (!solutions.length) throw nothing("solution", found);
  const isOnly = [verdict, judged].includes("unique");
  if (puzzle.family === "slitherlink") {
    const { height, width } = puzzle;
    const edges = edgesAroundInside(solutions.at(-1), height, width);
    const shown = edges.map((value) => value || 255);
    return { isOnly, edges: rowsOfEdges(shown, height, width) };
  }
  const boards = solutions.map((rows) => cellsOf(rows, puzzle, found.legend));
  const drawn = doc.kind === "picture" ? doc.cells : null;
  const other = otherSolution(boards, drawn, puzzle.width);
  if (other.differing?.length === 0) throw nothing("other solution", found);
  return { isOnly, ...other };
}

function nothing(what, { verdict, reason }) {
  if (verdict !== "unknown") return new AnswerError("PuzzleError", `These clues have no ${what}.`);
  const why = reason ? `: ${reason}` : "";
  return new AnswerError("LimitReached", `No ${what} was found within the limits${why}.`);
}
