// The clues as invisible lists for screen readers.

import { sameClue } from "../state/clues.js";
import { wordsOfClue } from "./words.js";

/**
 * Lists of clues inside a host.
 *
 * @returns {(scene: object) => void} Updates them; unchanged lines are not touched.
 */
export function createClueLists(host) {
  const rows = createList(host, "Row");
  const columns = createList(host, "Column");
  let colours = "";
  return (scene) => {
    if (scene.family === "slitherlink") {
      rows(scene.clues, wordsOfRow, false, Object.is);
      columns([], wordsOfRow, false, Object.is);
      return;
    }
    const areNew = colours !== scene.palette.join();
    colours = scene.palette.join();
    const words = (clue) => wordsOfClue(clue, scene.palette);
    rows(scene.rowClues, words, areNew, sameClue);
    columns(scene.columnClues, words, areNew, sameClue);
  };
}

/** A list, hidden if it is empty. */
function createList(host, name) {
  const heading = document.createElement("h2");
  heading.textContent = `${name} clues`;
  const list = document.createElement("ol");
  const part = document.createElement("div");
  part.append(heading, list);
  host.append(part);
  let [shown, shownFamily] = [[], null];
  return (clues, words, areNew, isSame) => {
    part.hidden = clues.length === 0;
    while (list.children.length > clues.length) list.lastChild.remove();
    const isOther = areNew || shownFamily !== isSame; // another family was shown before
    clues.forEach((clue, at) => {
      if (!isOther && at in shown && isSame(shown[at], clue)) return;
      const item = list.children[at] ?? list.appendChild(document.createElement("li"));
      item.textContent = `${name} ${at + 1}: ${words(clue)}`;
    });
    [shown, shownFamily] = [clues, isSame];
  };
}

/** The clues of a Slitherlink's row in words. */
function wordsOfRow(row) {
  return Array.from(row, (sign) => (/[0-9]/.test(sign) ? sign : "none")).join(", ");
}
