// A page that plays one puzzle without a server; its data are { puzzle, explanation }.

import { dataOfPage, startSingle } from "../single/single.js";
import * as play from "./index.js";
import { createStoryAnswers } from "./offline.js";
import { puzzleOf } from "./puzzle.js";

const data = dataOfPage();
startSingle("play", play, data, (doc) => createStoryAnswers(puzzleOf(doc), data.explanation));
