// Conversion of files and texts to documents, read by the server or the core; a dialog selects one
// of several puzzles.

import { AnswerError, isCalledOff } from "../answers/errors.js";
import { button, h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { fromPicture } from "../state/document.js";
import { refusalOfPuzzle } from "../state/sound.js";
import { countShared, documentOfRead, isShared, sharedDocument } from "../state/share.js";
import { showImage } from "./image.js";
import { withProgress } from "./progress.js";

export const MOST_BYTES = 8 * 2 ** 20; // larger files are refused by the server and not sent

/** File types of the file picker; dropped files may have any type. */
const ACCEPT =
  ".png,.gif,.bmp,.webp,.jpg,.jpeg,.non,.nonpack,.nonopack,.xml,.pbn,.g,.nin,.mk,.m,.cwd," +
  ".csv,.tsv,.json,.jsonl,.pbm,.pattern,.loopy,.puzzlink,.slitherlink,.slink,.share,.txt," +
  ".dzn,.gno,.sav,.pzprv3,.sgriddler,.griddler," +
  "image/*,text/*";

const PASTABLE =
  "You can paste clues below the words rows and columns, a picture of # and dots, what a puzzle " +
  "file holds, an address of puzz.link, or a shared puzzle, which begins with nonosat:1:.";
const RENAME = "If you know its format, give the file that format's suffix: .non, .xml, .csv.";
const AS_IMAGE =
  "To make a puzzle of a photograph or a drawing, open it as a PNG, GIF, WebP or JPEG image.";

let reading = new AbortController(); // of the last file or text

/** Show a file picker, and open the selected file. */
export function chooseFile(app) {
  const input = h("input", { type: "file", accept: ACCEPT });
  input.addEventListener("change", () => input.files[0] && openFile(input.files[0], app));
  input.click();
}

/** True if a file is shown in the dialog of images first: pixel art can be scaled there, too. */
export const isImage = (file) =>
  /^image\/(?!svg)/.test(file.type) && !/pbm|portable/.test(file.type);

/** The reason why a file is not sent; "" if it is sent. */
export function refusalOf(file) {
  if (file.size === 0) return `${file.name || "The file"} is empty.`;
  if (file.size <= MOST_BYTES) return "";
  const size = (file.size / 2 ** 20).toFixed(0);
  return (
    `${file.name || "The file"} has ${size} MiB. The studio opens files of at most ` +
    `${MOST_BYTES / 2 ** 20} MiB: make the image smaller, or split the file.`
  );
}

/** The page's advice for an error, by the kind of its remedy; "" if there is none. */
function adviceOf(remedy, name) {
  if (remedy?.kind === "image") return AS_IMAGE;
  if (remedy?.kind !== "set" || remedy.argument !== "format") return "";
  return name ? RENAME : PASTABLE;
}

/**
 * The reason why a file or a text cannot be opened, with the page's advice.
 *
 * @param {{message: string, at?: number[]|null, remedy?: object|null}} error An `AnswerError`.
 * @param {string} name Name of the file; "" for a text.
 */
export function wordsOfRefusal({ message, at, remedy }, name) {
  const advice = adviceOf(remedy, name);
  const place = at ? `line ${at[0]}${at[1] ? `, column ${at[1]}` : ""}: ` : "";
  const what = name ? `${name} cannot be opened` : "This text holds no puzzle";
  return `${sentence(`${what}: ${place}${message}`)}${advice ? ` ${advice}` : ""}`;
}

/** Open a file: an image with a preview, else the puzzle that it holds. */
export async function openFile(file, app) {
  const refusal = refusalOf(file);
  if (refusal) return app.toast(refusal, { error: true });
  reading.abort(); // a file opened later takes precedence, even if its answer comes first
  if (isImage(file)) return showImage(file, app);
  const name = file.name || "pasted";
  try {
    return await openRead(file, name, app);
  } catch (error) {
    return isCalledOff(error) || app.toast(wordsOfRefusal(error, name), { error: true });
  }
}

/** Open a pasted text; one that cannot be opened is shown in a dialog, with the reason. */
export async function openText(text, app) {
  try {
    await openTextOrThrow(text, app);
  } catch (error) {
    if (!isCalledOff(error)) showTextDialog(app, { text, error });
  }
}

/** Open a text: a shared puzzle, clues, an address of a puzzle. */
async function openTextOrThrow(text, app) {
  reading.abort();
  if (!isShared(text)) return openRead(new Blob([text]), "", app);
  app.open(await sharedDocument(text), { mode: "play" });
  const count = countShared(text);
  const advice = "The first is open; open the others one by one.";
  if (count > 1) app.toast(`The text holds ${count} puzzles. ${advice}`);
}

/** Read a file or a text and open the puzzle in it; throws an `AnswerError` for anything else. */
async function openRead(blob, name, app) {
  reading = new AbortController();
  const question = `read?name=${encodeURIComponent(name)}`;
  const read = (signal) => app.answers.query(question, new Blob([blob]), { signal });
  const found = await withProgress(app, `Opening ${name || "the text"} …`, read, reading);
  if (!found.puzzles.length) throw new AnswerError("FormatError", "there is no puzzle in it");
  const refusal = found.puzzles.length === 1 ? refusalOfPuzzle(found.puzzles[0].puzzle) : "";
  if (refusal) throw new Error(refusal);
  for (const warning of found.warnings.slice(0, 2)) app.toast(sentence(warning));
  if (found.puzzles.length === 1) openPuzzle(found.puzzles[0], app);
  else showChooser(found.puzzles, name, app);
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Open one puzzle of an answer to `read`. */
function openPuzzle({ puzzle, goal, title }, app) {
  const refusal = refusalOfPuzzle(puzzle);
  if (refusal) return app.toast(refusal, { error: true });
  const picture = goal && fromPicture(goal, title);
  const doc = documentOfRead(puzzle, picture);
  const family = doc.family ?? "nonogram";
  const mode = family === "nonogram" ? "draw" : "play";
  app.open(doc, { mode });
  const name = doc.title ? `“${doc.title}”` : `A puzzle of ${doc.width} × ${doc.height}`;
  const play = { label: "Play it", run: () => app.store.dispatch({ type: "mode", mode: "play" }) };
  const close = app.toast(`${name} is open.`, mode === "draw" ? { action: play } : {});
  // The message ends when another mode is opened.
  const end = app.store.subscribe((state) => {
    if (state.mode === mode) return;
    close();
    end();
  });
}

/** Show a dialog that selects one of the puzzles of a file. */
function showChooser(puzzles, name, app) {
  const list = h("div.chooser.stack", { role: "list" });
  const choose = (puzzle) => () => {
    dialog.close();
    openPuzzle(puzzle, app);
  };
  const show = (text) => {
    const words = text.toLowerCase();
    const shown = puzzles.filter(({ title }) =>
      (title || "Untitled").toLowerCase().includes(words),
    );
    list.replaceChildren(
      ...shown.map((puzzle) =>
        h(
          "div",
          { role: "listitem" },
          h(
            "button.menu-item",
            { type: "button", onclick: choose(puzzle) },
            h("span", {}, puzzle.title || "Untitled"),
            h("span.menu-hint", {}, puzzle.size),
          ),
        ),
      ),
    );
    if (!shown.length) list.append(h("p.muted", {}, "No title has these letters."));
  };
  const search = h("input", {
    type: "search",
    "aria-label": "Part of a title",
    placeholder: "Part of a title",
    oninput: (event) => show(event.target.value),
  });
  show("");
  const play = () => {
    dialog.close();
    playAsPack(puzzles, name, app);
  };
  const isPack = /\.jsonl$/i.test(name); // its titles may be surprises
  const dialog = showDialog(`${puzzles.length} puzzles${name ? ` in ${name}` : ""}`, [
    h("p", {}, "Play them all: their titles stay hidden until they are solved."),
    h("div.row", {}, button("Play as a pack", play, { class: "primary" })),
    h(
      "details",
      { open: !isPack },
      h("summary", {}, "Open one of them"),
      h("div.stack", {}, puzzles.length > 8 ? search : "", list),
    ),
  ]);
  return dialog;
}

/** Store all puzzles that can be played as a pack, and show it in the gallery. */
function playAsPack(puzzles, name, app) {
  const data = puzzles.map(({ puzzle }) => puzzle).filter((one) => !refusalOfPuzzle(one));
  const num = puzzles.length - data.length;
  if (!data.length) return app.toast(refusalOfPuzzle(puzzles[0].puzzle), { error: true });
  const pack = { name: name.replace(/\.\w+$/, "") || "Pasted puzzles", puzzles: data };
  if (!app.openPack(pack))
    return app.toast("The browser's storage has no room for this pack.", { error: true });
  return num && app.toast(`${num} of the puzzles cannot be played here.`);
}

/**
 * A dialog to paste or type a puzzle as text. It stays open until the text is a puzzle.
 *
 * @param {{text?: string, error?: object|null}} before A text that could not be opened, and why.
 */
export function showTextDialog(app, { text = "", error = null } = {}) {
  const area = h("textarea", {
    rows: "10",
    "aria-label": "Text",
    "aria-describedby": "text-problem",
    spellcheck: "false",
    class: "tabular",
    placeholder: "rows\n1 1\n3\n\ncolumns\n2\n1\n2",
    oninput: () => area.setAttribute("aria-invalid", "false"),
  });
  area.value = text;
  const problem = h("p.note.bad.text-problem", { id: "text-problem", role: "alert", hidden: true });
  const refuse = (refused) => {
    const isAnswer = refused instanceof AnswerError; // otherwise the text was shared
    problem.textContent = isAnswer ? wordsOfRefusal(refused, "") : refused.message;
    problem.hidden = false;
    area.setAttribute("aria-invalid", "true");
    markLine(area, refused.at);
  };
  const open = async () => {
    if (!area.value.trim()) return false;
    try {
      await openTextOrThrow(area.value, app);
      return true;
    } catch (refused) {
      if (!isCalledOff(refused)) refuse(refused);
      return false;
    }
  };
  showDialog(
    "Open a text",
    [
      h(
        "p.muted",
        {},
        "Clues in any usual notation, the text of a file, an address of puzz.link, a shared puzzle.",
      ),
      area,
      problem,
    ],
    [{ label: "Cancel" }, { label: "Open", primary: true, run: open }],
  );
  area.focus();
  if (error) refuse(error);
}

/** Start and end of a line of a text, by its number from 1. */
export function rangeOfLine(text, line) {
  const lines = text.split("\n");
  const at = Math.min(Math.max(line, 1), lines.length) - 1;
  const start = lines.slice(0, at).reduce((sum, one) => sum + one.length + 1, 0);
  return [start, start + lines[at].length];
}

/** Move the focus into a text and select the wrong line, if it is known. */
function markLine(area, at) {
  area.focus();
  if (!at) return;
  const [start, end] = rangeOfLine(area.value, at[0]);
  area.setSelectionRange(start, end);
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (at[0] - 3) * lineHeight);
}
