// A page that plays one puzzle without a server; its data are { puzzle, explanation }.

import { mountPrint } from "../print/index.js";
import { dataOfPage, startSingle } from "../single/single.js";
import * as play from "./index.js";
import { createStoryAnswers } from "./offline.js";
import { puzzleOf } from "./puzzle.js";

const data = dataOfPage();
const answersOf = (doc) => createStoryAnswers(puzzleOf(doc), data.explanation);
mountPrint(startSingle("play", play, data, answersOf));
