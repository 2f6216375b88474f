// The clues as lists that a screen reader can walk; eyes do not see them.

import { sameClue } from "../state/clues.js";
import { wordsOfClue } from "./words.js";

/**
 * Two lists inside a host.
 *
 * @returns {(scene: object) => void} Brings them up to date; lines that stayed are not touched.
 */
export function createClueLists(host) {
  const side = (name) => {
    const heading = document.createElement("h2");
    heading.textContent = `${name} clues`;
    const list = document.createElement("ol");
    host.append(heading, list);
    let shown = [];
    return (clues, palette, isNew) => {
      while (list.children.length > clues.length) list.lastChild.remove();
      clues.forEach((clue, at) => {
        if (!isNew && at in shown && sameClue(shown[at], clue)) return;
        const item = list.children[at] ?? list.appendChild(document.createElement("li"));
        item.textContent = `${name} ${at + 1}: ${wordsOfClue(clue, palette)}`;
      });
      shown = clues;
    };
  };
  const rows = side("Row");
  const columns = side("Column");
  let colours = "";
  return (scene) => {
    const isNew = colours !== scene.palette.join();
    colours = scene.palette.join();
    rows(scene.rowClues, scene.palette, isNew);
    columns(scene.columnClues, scene.palette, isNew);
  };
}
