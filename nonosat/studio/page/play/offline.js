// Hints without a server: the steps of an explanation that was made before, for a unique puzzle.

import { AnswerError } from "../answers/errors.js";
import { boardAfter, wholeStory } from "../explain/steps.js";
import { edgesOf } from "../board/lattice.js";
import { placeAndValue } from "./model.js";

/**
 * Answers of an explanation; only "hint" is answered.
 *
 * @param {object} puzzle As `puzzleOf` returns it.
 * @param {object|null} found `Explanation.to_data()`; null without any.
 */
export function createStoryAnswers(puzzle, found) {
  const can = (question) => question === "hint" && found?.verdict === "unique";
  return {
    can,
    watch: () => 0,
    onConnection: () => () => {},
    query: async (question, { given }) => {
      if (!can(question)) throw new AnswerError("UnsupportedError", "this file has only hints");
      return hintOf(puzzle, found, marksOf(given, puzzle));
    },
  };
}

/** Marks of the rows that a question holds. */
function marksOf(rows, { family, height, width }) {
  if (family === "slitherlink") return edgesOf(rows, height, width);
  return Uint8Array.from(rows.join(""), (sign) =>
    sign === "?" ? 255 : sign === "." ? 0 : sign.charCodeAt(0) - 96,
  );
}

/**
 * The next step: the first one with an open place. All steps before it are done, so it follows. If
 * marks are wrong, these are named instead of a step.
 *
 * @param {object} puzzle
 * @param {object} found An explanation that ends with the only solution.
 * @param {Uint8Array} marks A mark a place, 255 if it is open.
 * @returns {object} The used part of `Hint.to_data()`.
 */
export function hintOf(puzzle, found, marks) {
  const story = wholeStory(found);
  const solution = boardAfter(puzzle, story, story.steps.length);
  const wrong = story.steps
    .flatMap((step) => step.settled)
    .filter((mark) => isWrong(marks, solution, placeAndValue(mark, puzzle, found.legend).place))
    .map((mark) => [...mark.slice(0, -1), otherSign(mark, marks, puzzle, found)]);
  if (wrong.length) {
    const sentence = wrong.length === 1 ? "One mark is wrong." : `${wrong.length} marks are wrong.`;
    return { step: null, before: [], wrong, sentence, legend: found.legend };
  }
  const at = story.steps.findIndex((step) =>
    step.settled.some((mark) => marks[placeAndValue(mark, puzzle, found.legend).place] === 255),
  );
  if (at < 0)
    return {
      step: null,
      before: [],
      wrong,
      sentence: "Everything is marked.",
      legend: found.legend,
    };
  const step = story.steps[at];
  return {
    step,
    before: silentBefore(story.steps, at),
    wrong,
    sentence: step.sentence,
    legend: found.legend,
  };
}

function isWrong(marks, solution, place) {
  return marks[place] !== 255 && marks[place] !== solution[place];
}

/** The library's character of a place's mark. */
function otherSign(mark, marks, puzzle, found) {
  const { place } = placeAndValue(mark, puzzle, found.legend);
  return puzzle.signs[marks[place]];
}

/** Preceding steps that settle nothing and are needed for this one. */
function silentBefore(steps, at) {
  let first = at;
  while (first > 0 && !steps[first - 1].settled.length) first -= 1;
  return steps.slice(first, at);
}
