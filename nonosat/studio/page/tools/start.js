// The panel of a nonogram of which only the clues are known: edit its picture, or type clues.

import { documentOf } from "../state/share.js";
import { blank, nothingYet } from "../state/document.js";
import { isCalledOff } from "../answers/errors.js";
import { withProgress } from "../files/progress.js";
import { puzzleOf, valueOf } from "../play/puzzle.js";
import { button, fill } from "../ui/dom.js";
import { current } from "../verdict/model.js";
import { focusFirstClue } from "./clues.js";

/**
 * Fill the panel for such a puzzle, and empty it for every other document. While such a puzzle is
 * explained or played, the header has its first button.
 */
export function mountStart(element, app) {
  const inBar = button("Edit the picture", () => editPicture(app), {
    icon: "pen",
    text: true,
    class: "quiet hide-medium",
    title: "Edit the picture",
  });
  document.getElementById("bar-end").prepend(inBar);
  const edit = button("Edit the picture", () => editPicture(app), { class: "primary large" });
  const type = button("Type clues", focusFirstClue, { icon: "pen", text: true });
  const show = ({ doc, verdict, mode }) => {
    const isNonogram = doc.kind === "puzzle" && doc.family === "nonogram";
    inBar.hidden = !isNonogram || !["explain", "play"].includes(mode);
    if (!isNonogram || nothingYet(doc)) return fill(element);
    if (!edit.isConnected) fill(element, edit, type);
    const found = current(verdict)?.verdict;
    edit.lastChild.textContent =
      found === "multiple" && !doc.puzzle.goal ? "Edit one of its pictures" : "Edit the picture";
    edit.disabled = found === "unsolvable" && !doc.puzzle.goal;
    edit.title = edit.disabled ? "No picture has these clues." : "";
    return element;
  };
  app.store.subscribe((state, before) => {
    if (["doc", "verdict", "mode"].some((key) => state[key] !== before[key])) show(state);
  });
  show(app.store.get());
}

/** Open the picture of the puzzle as a drawing: its goal, else a solution. */
async function editPicture(app) {
  const { doc } = app.store.get();
  try {
    const picture = doc.puzzle.goal ? pictureOfGoal(doc) : await pictureOfSolution(app, doc);
    if (picture) app.open(picture, { mode: "draw" });
    else app.toast("No solution was found, so there is no picture to edit.", { error: true });
  } catch (error) {
    if (!isCalledOff(error)) app.toast(error.message, { error: true });
  }
}

function pictureOfGoal({ puzzle, title, secretTitle = title, author }) {
  const { rows, columns, given, ...drawn } = puzzle;
  return { ...documentOf({ ...drawn, width: columns.length }), title: secretTitle, author };
}

async function pictureOfSolution(app, doc) {
  const solve = (signal) => app.answers.query("solve", { puzzle: { puzzle: doc.puzzle } }, { signal });
  const { solutions } = await withProgress(app, "Searching for the picture …", solve);
  return solutions.length ? pictureOf(doc, solutions[0]) : null;
}

function pictureOf(doc, solution) {
  const rows = Array.isArray(solution) ? solution : solution.rows;
  const puzzle = puzzleOf(doc);
  const picture = blank(doc.height, doc.width, {
    palette: doc.palette,
    background: doc.background,
  });
  picture.cells.set([...rows.join("")].map((sign) => valueOf(sign, puzzle, solution.colours)));
  const title = doc.secretTitle ?? doc.title;
  return { ...picture, title, author: doc.author, about: doc.about ?? {} };
}
