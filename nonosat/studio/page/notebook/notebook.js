// A board in a notebook's cell: play a puzzle, step through an explanation, or show a result. Its
// data are { mode, puzzle, explanation } and, for a result, { found: { sentence, rows, differing }
// }.

import * as explain from "../explain/index.js";
import { createStepAnswers } from "../explain/offline.js";
import * as play from "../play/index.js";
import { createStoryAnswers } from "../play/offline.js";
import { puzzleOf } from "../play/puzzle.js";
import { dataOfPage, startSingle } from "../single/single.js";
import * as result from "./result.js";

const PARTS = { play, explain, result };
const data = dataOfPage();
startSingle(data.mode, PARTS[data.mode], data, (doc) => answersOf(doc, data));

/** Answer hints and steps from the explanation in the cell's data. */
function answersOf(doc, { mode, explanation }) {
  if (mode === "explain") return createStepAnswers(explanation);
  return createStoryAnswers(puzzleOf(doc), explanation);
}
