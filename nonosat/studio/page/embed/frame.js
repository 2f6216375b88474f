// The page in the frame of <nonosat-board>: plays the puzzle of its address with the core.

import { createCoreAnswers } from "../answers/core.js";
import * as play from "../play/index.js";
import { mountPrint } from "../print/index.js";
import { startSingle } from "../single/single.js";
import { documentOf, isShared, sharedDocument } from "../state/share.js";

/** The document of a share text, or of JSON of the library. */
async function documentIn(text) {
  if (isShared(text)) return sharedDocument(text);
  if (!text) throw new Error("This element has no puzzle.");
  return documentOf(JSON.parse(text));
}

async function start() {
  const [title, author] = document.querySelectorAll(".single-head > *");
  try {
    const doc = await documentIn(decodeURIComponent(location.hash.slice(1)));
    title.textContent = document.title = doc.title || "Puzzle";
    author.textContent = doc.author;
    const answersOf = () => createCoreAnswers({ base: document.baseURI });
    const app = startSingle("play", play, { doc }, answersOf);
    mountPrint(app);
    app.store.subscribe(({ play: game }, { play: before }) => {
      // The first state of a game has no marks; a game that was kept is solved in its second one.
      const isSame = before.name === game.name && before.marks;
      if (!isSame || !game.isSolved || before.isSolved) return;
      parent.postMessage({ nonosat: "solved", seconds: game.seconds }, "*");
    });
  } catch (error) {
    document.getElementById("panel").textContent = `There is no puzzle to play. ${error.message}`;
  }
}

addEventListener("hashchange", () => location.reload()); // the element has another puzzle
start();
