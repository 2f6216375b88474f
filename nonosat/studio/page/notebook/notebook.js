// A board in a notebook's cell: a puzzle is played, an explanation stepped through, a result looked
// at. Its data are { mode, puzzle, explanation } and, of a result, { found: { sentence, rows,
// differing } }.

import { AnswerError } from "../answers/errors.js";
import * as explain from "../explain/index.js";
import * as play from "../play/index.js";
import { createStoryAnswers } from "../play/offline.js";
import { puzzleOf } from "../play/puzzle.js";
import { dataOfPage, startSingle } from "../single/single.js";
import * as result from "./result.js";

const PARTS = { play, explain, result };
const data = dataOfPage();
startSingle(data.mode, PARTS[data.mode], data, (doc) => answersOf(doc, data));

/** Hints and steps come from the explanation that the cell brought along. */
function answersOf(doc, { mode, explanation }) {
  const story = createStoryAnswers(puzzleOf(doc), explanation);
  if (mode !== "explain") return story;
  const can = (question) => (question === "explain" ? "" : story.can(question));
  const ask = async (question) => {
    if (can(question)) throw new AnswerError("UnsupportedError", can(question));
    return explanation;
  };
  return { ...story, can, ask };
}
