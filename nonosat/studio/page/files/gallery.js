// The first page: a new drawing, drawings of this browser, bundled puzzles to play.

import { button, fill, h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { blank, fromPuzzle, MAX_SIDE } from "../state/document.js";
import { focusFirstClue } from "../tools/clues.js";
import { browserStorage, createProgress } from "../play/progress.js";
import { nameOf, puzzleOf } from "../play/puzzle.js";
import { chooseFile, showTextDialog } from "./open.js";
import { mountPuzzles } from "./puzzles.js";
import { emblem, thumbnail } from "./thumbnail.js";

const SIZES = [
  [10, 10],
  [20, 20],
  [30, 30],
];
const RECENT = 11; // tiles, until all are requested

/** Fill the gallery; `refresh()` shows what was drawn since. */
export function mountGallery(element, app) {
  const recent = h("section.stack");
  const groups = h("div.stack.groups");
  element.append(h("div.gallery-page.stack", {}, hero(app), recent, groups));
  const puzzles = mountPuzzles(groups, app);
  const refresh = () => {
    showRecent(recent, app);
    puzzles.refresh();
  };
  showRecent(recent, app);
  // Another tab may have drawn; its games and packs are shown when the gallery is opened again.
  addEventListener("storage", () => showRecent(recent, app));
  return { refresh };
}

function hero(app) {
  const sizes = SIZES.map(([height, width]) =>
    button(`${width} × ${height}`, () => app.open(blank(height, width)), {
      "aria-label": `${width} × ${height}, a new picture`,
    }),
  );
  const other = button("Other size…", () => showNew(app));
  return h(
    "div.hero.stack",
    {},
    h("h1", {}, "Draw a picture. See at once whether it is a puzzle."),
    h(
      "p.muted",
      {},
      "Every stroke is checked: one solution, several, or none. Or play one of the puzzles below.",
    ),
    h(
      "div.row",
      {},
      button("Draw a new picture", () => app.open(blank(15, 15)), { class: "primary" }),
      h("div.row", { role: "group", "aria-label": "A new picture of another size" }, sizes, other),
    ),
    h(
      "div.row",
      {},
      button("Open…", () => chooseFile(app), { icon: "open", text: true }),
      button("Paste or type a text…", () => showTextDialog(app), { icon: "paste", text: true }),
      button("Type clues…", () => showNewClues(app), { icon: "pen", text: true }),
      h("span.muted.small-text", {}, "or drop a file or an image anywhere"),
    ),
  );
}

function sizeFields(height, width) {
  const field = (label, value) => {
    const input = h("input", {
      type: "number",
      min: "1",
      max: String(MAX_SIDE),
      value: String(value),
      required: true,
    });
    return { input, element: h("label.field", {}, label, input) };
  };
  const [columns, rows] = [field("Columns", width), field("Rows", height)];
  const problem = h("p.error", { role: "alert" });
  return {
    element: h("div.stack", {}, h("div.row", {}, columns.element, rows.element), problem),
    /** `[height, width]`, or null with a message below the fields. */
    read() {
      const [w, t] = [Number(columns.input.value), Number(rows.input.value)];
      const isGood = [w, t].every(
        (value) => Number.isInteger(value) && value >= 1 && value <= MAX_SIDE,
      );
      problem.textContent = isGood ? "" : `Both are whole numbers from 1 to ${MAX_SIDE}.`;
      return isGood ? [t, w] : null;
    },
  };
}

function showNew(app) {
  const fields = sizeFields(40, 40);
  const draw = () => {
    const size = fields.read();
    if (!size) return false;
    app.open(blank(...size));
    return true;
  };
  showDialog(
    "A new picture",
    [fields.element],
    [{ label: "Cancel" }, { label: "Draw", primary: true, run: draw }],
  );
}

function showNewClues(app) {
  const fields = sizeFields(10, 10);
  const begin = () => {
    const size = fields.read();
    if (!size) return false;
    const [rows, columns] = size.map((count) => Array.from({ length: count }, () => []));
    app.open(fromPuzzle({ width: columns.length, height: rows.length, rows, columns }), {
      mode: "draw",
    });
    requestAnimationFrame(focusFirstClue); // after the dialog has closed
    return true;
  };
  showDialog(
    "Type the clues of a puzzle",
    [fields.element],
    [{ label: "Cancel" }, { label: "Type clues", primary: true, run: begin }],
  );
}

function showRecent(element, app, isAll = false) {
  const list = app.session.shelf.list();
  if (!list.length) return fill(element);
  const shown = isAll ? list : list.slice(0, RECENT);
  const all =
    list.length > shown.length
      ? button(`All ${list.length}`, () => showRecent(element, app, true), { class: "small" })
      : null;
  return fill(
    element,
    h("div.row.spread", {}, h("h2", {}, "Yours"), all),
    h(
      "ul.tiles",
      {},
      shown.map((about) => recentTile(about, app, () => showRecent(element, app, isAll))),
    ),
  );
}

function recentTile(about, app, refresh) {
  const title = about.title || "Untitled";
  const open = async () => {
    if (!(await app.reopen(about.key)))
      app.toast(`${title} cannot be read any more.`, { error: true });
  };
  return h(
    "li.tile",
    {},
    h(
      "button.tile-open",
      { type: "button", onclick: open },
      pictureOf(about, app),
      h("span.tile-title", {}, title),
      h("span.tile-size.tabular", {}, `${about.width} × ${about.height}`),
      hidden(about.mode === "play" ? ", continue playing" : ", continue drawing"),
    ),
    button(`Remove ${title}`, () => remove(about, app, refresh), {
      icon: "close",
      class: "quiet small tile-remove",
    }),
  );
}

/** The picture of a drawing, or the marks of a game so far; without any the shape of the puzzle. */
function pictureOf(about, app) {
  if (about.mode !== "play" && about.thumbnail) return thumbnail(about.thumbnail);
  const doc = about.family === "nonogram" && app.session.shelf.load(about.key)?.doc;
  const marks = doc && marksOf(nameOf(puzzleOf(doc)), app.store.get().play);
  if (marks?.length !== about.height * about.width || !marks.some(isFilled)) return emblem(about);
  return thumbnail({ ...doc, cells: marks.map((value) => (isFilled(value) ? value : 0)) });
}

/** The marks of a game by its name; `play` is the open one, which may not be stored yet. */
const marksOf = (name, play) =>
  play.name === name ? play.marks : createProgress(browserStorage("localStorage")).load(name)?.marks;

const isFilled = (value) => value > 0 && value < 255;
const hidden = (text) => h("span.visually-hidden", {}, text);

function remove({ key, title }, app, refresh) {
  const { shelf } = app.session;
  const record = shelf.load(key);
  shelf.remove(key);
  app.session.forget(key);
  refresh();
  const undo = () => {
    shelf.save(key, record, Date.now());
    refresh();
  };
  app.toast(
    `Removed ${title || "Untitled"}.`,
    record ? { action: { label: "Undo", run: undo } } : {},
  );
}
