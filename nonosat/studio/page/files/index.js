// Import and export: the gallery; files opened, dropped and pasted; export and sharing.

import { attachMenu } from "../ui/dialog.js";
import { button, isTyping } from "../ui/dom.js";
import { fromPicture, fromPuzzle } from "../state/document.js";
import { isShared, sharedDocument } from "../state/share.js";
import { copySelection, pasteCopied } from "../tools/commands.js";
import { listenToDrops } from "./drop.js";
import { mountGallery } from "./gallery.js";
import { chooseFile, openFile, openText } from "./open.js";
import { takeAwayItems } from "./take.js";

/** Fill the gallery and the header, and handle dropped and pasted files. */
export function mount(element, app) {
  const gallery = mountGallery(element, app);
  const host = document.getElementById("bar-end");
  const open = button("Open…", () => chooseFile(app), {
    icon: "open",
    text: true,
    class: "quiet hide-narrow",
    title: "Open a file (Ctrl+O)",
  });
  const take = button("Export & share", null, {
    icon: "download",
    text: true,
    class: "hide-narrow",
    title: "Export & share",
  });
  const about = app.answers.query("about").catch(() => null);
  attachMenu(take, async () => takeAwayItems(app, await about));
  host.prepend(open, take);
  const show = ({ mode }) => (take.hidden = mode === "gallery");
  app.store.subscribe((state, before) => {
    if (state.mode === before.mode) return;
    show(state);
    if (state.mode !== "gallery") return;
    app.session.flush(); // the list includes the current drawing
    gallery.refresh();
  });
  show(app.store.get());
  listenToDrops(app);
  document.addEventListener("paste", (event) => onPaste(event, app));
  for (const type of ["copy", "cut"])
    document.addEventListener(type, (event) => onCopy(event, app));
}

/**
 * The start of a new tab: a puzzle that the server was started with, or the gallery. The answer
 * may take seconds; a document that was opened meanwhile is kept.
 */
export async function begin(app) {
  const { key } = app.store.get();
  try {
    const { first, mode } = await app.answers.query("about");
    const now = app.store.get();
    if (!first || now.mode !== "gallery" || now.key !== key) return;
    const doc = first.picture
      ? fromPicture(first, first.title, first.author)
      : fromPuzzle(first.puzzle);
    const isNonogram = (doc.family ?? "nonogram") === "nonogram"; // which can be drawn
    app.open(doc, { mode: mode ?? (isNonogram ? "draw" : "play") });
  } catch {
    // The line about the connection reports it.
  }
}

/**
 * Open the puzzle of the page's address; return true if there is one.
 *
 * A puzzle after `#` (also `#p=`, of older links) is opened for playing, without its solution. One
 * after `#draw=` comes from a page whose server has ended.
 */
export async function openAddress(app) {
  if (!isShared(location.hash)) return false;
  const text = location.hash;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    app.open(await sharedDocument(text), { mode: text.startsWith("#draw=") ? "draw" : "play" });
    return true;
  } catch (error) {
    app.toast(error.message, { error: true });
    return false;
  }
}

/** Keys of the page as a whole. */
export function onKey(event, app) {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "o") return false;
  chooseFile(app);
  return true;
}

function onPaste(event, app) {
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const { files } = event.clipboardData;
  const text = event.clipboardData.getData("text/plain");
  if (files.length) {
    event.preventDefault();
    openFile(files[0], app);
  } else if (text.trim()) {
    event.preventDefault();
    if (app.store.get().mode !== "draw" || !pasteCopied(app, text)) openText(text, app);
  }
}

function onCopy(event, app) {
  if (isTyping(event.target) || app.store.get().mode !== "draw" || String(getSelection())) return;
  const text = copySelection(app, event.type === "cut");
  if (text === null) return;
  event.preventDefault();
  event.clipboardData.setData("text/plain", text);
  app.announce(event.type === "cut" ? "Cut" : "Copied");
}
