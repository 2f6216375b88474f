// A page that steps through an explanation without a server; its data are { puzzle, explanation }.

import { dataOfPage, startSingle } from "../single/single.js";
import * as explain from "./index.js";
import { createStepAnswers } from "./offline.js";

const data = dataOfPage();
startSingle("explain", explain, data, () => createStepAnswers(data.explanation));
