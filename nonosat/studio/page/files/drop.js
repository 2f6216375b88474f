// Files and texts dropped anywhere on the page.

import { h } from "../ui/dom.js";
import { openFile, openText } from "./open.js";

/** Show the target of a drag, and open dropped files. */
export function listenToDrops(app) {
  const veil = h(
    "div.drop-veil",
    { "aria-hidden": "true" },
    h("div", {}, "Drop an image, a puzzle file or a text"),
  );
  veil.hidden = true;
  document.body.append(veil);
  const isWelcome = ({ dataTransfer }) =>
    [...dataTransfer.types].some((type) => type === "Files" || type === "text/plain");
  let depth = 0; // enter and leave events come for every element on the way
  addEventListener("dragenter", (event) => {
    if (!isWelcome(event)) return;
    depth += 1;
    veil.hidden = false;
  });
  addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    veil.hidden = depth === 0;
  });
  addEventListener("dragover", (event) => {
    if (isWelcome(event)) event.preventDefault();
  });
  addEventListener("drop", (event) => {
    depth = 0;
    veil.hidden = true;
    if (!isWelcome(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    const text = event.dataTransfer.getData("text/plain");
    if (file) openFile(file, app);
    else if (text) openText(text, app);
  });
}
