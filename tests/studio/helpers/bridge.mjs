// For `tests/test_studio_page.py`: the results of the page for pictures and shared texts, as JSON.

import { readFileSync } from "node:fs";
import { cluesOf, fromPicture } from "../../../nonosat/studio/page/state/document.js";
import { sharedDocument, shareText } from "../../../nonosat/studio/page/state/share.js";

const { pictures, texts } = JSON.parse(readFileSync(0, "utf8"));
const documents = pictures.map((picture) => fromPicture(picture, picture.title));
const answer = {
  clues: documents.map(cluesOf),
  shared: await Promise.all(documents.map(shareText)),
  read: (await Promise.all(texts.map(sharedDocument))).map((doc) => ({
    kind: doc.kind,
    title: doc.title,
    width: doc.width,
    height: doc.height,
    palette: doc.palette,
    cells: doc.cells ? Array.from(doc.cells) : null,
    puzzle: doc.puzzle ?? null,
    ...cluesOf(doc),
  })),
};
console.log(JSON.stringify(answer));
