// Files and texts become documents: read by whoever answers, chosen from where there are several.

import { isCalledOff } from "../answers/errors.js";
import { h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { fromPicture } from "../state/document.js";
import { refusalOfPuzzle } from "../state/sound.js";
import { countShared, documentOfRead, isShared, sharedDocument } from "../state/share.js";
import { showImage } from "./image.js";
import { telling } from "./telling.js";

export const MOST_BYTES = 8 * 2 ** 20; // the server refuses more; nothing is sent for that

/** What the page accepts in its file picker; dropped files may be anything. */
const ACCEPT =
  ".png,.gif,.bmp,.webp,.jpg,.jpeg,.non,.nonpack,.nonopack,.xml,.pbn,.g,.nin,.mk,.m,.cwd," +
  ".csv,.tsv,.json,.jsonl,.pbm,.pattern,.loopy,.puzzlink,.slitherlink,.slink,.share,.txt," +
  "image/*,text/*";

const PASTABLE =
  "You can paste clues below the words rows and columns, a picture of # and dots, what a puzzle " +
  "file holds, an address of puzz.link, or a shared puzzle, which begins with nonosat:1:.";
const RENAME = "If you know its format, give the file the suffix of that: .non, .xml, .csv.";
const LONG = 160; // characters of a reason that says more than somebody wants to read

let reading = new AbortController(); // of what was opened last

/** Lets somebody choose a file, and opens it. */
export function chooseFile(app) {
  const input = h("input", { type: "file", accept: ACCEPT });
  input.addEventListener("change", () => input.files[0] && openFile(input.files[0], app));
  input.click();
}

/** Whether a file is shown as an image first: pixel art, too, can be scaled there. */
export const isImage = (file) =>
  /^image\/(?!svg)/.test(file.type) && !/pbm|portable/.test(file.type);

/** Says why a file is not even sent, or "". */
export function refusalOf(file) {
  if (file.size === 0) return `${file.name || "The file"} is empty.`;
  if (file.size <= MOST_BYTES) return "";
  const size = (file.size / 2 ** 20).toFixed(0);
  return (
    `${file.name || "The file"} has ${size} MiB. The studio opens files of at most ` +
    `${MOST_BYTES / 2 ** 20} MiB: make the image smaller, or split the file.`
  );
}

/**
 * Why a file or a text cannot be opened, in words of the page: advice to use an option of the
 * commands is replaced.
 *
 * @param {string} message The library's.
 * @param {string} name Of the file; "" of a text.
 */
export function wordsOfRefusal(message, name) {
  const parts = message.split(/; (?![^(]*\))/); // what stands in brackets stays together
  const kept = parts.filter((part) => !/(^|\s)--\w/.test(part));
  const isCut = kept.length < parts.length;
  const reason = kept.join("; ");
  if (name) return `${name} cannot be opened: ${sentence(reason)}${isCut ? ` ${RENAME}` : ""}`;
  const own = reason.replace(/^text(:\d+)*: /, "");
  const why = isCut && own.length > LONG ? "" : `: ${own}`;
  return `${sentence(`This text holds no puzzle${why}`)}${isCut ? ` ${PASTABLE}` : ""}`;
}

/** Opens a file: an image with a preview, else whatever puzzle it holds. */
export async function openFile(file, app) {
  const refusal = refusalOf(file);
  if (refusal) return app.toast(refusal, { error: true });
  reading.abort(); // what is opened later wins, however slow
  if (isImage(file)) return showImage(file, app);
  return openRead(file, file.name || "pasted", app);
}

/** Opens a text: a shared puzzle, clues, an address of a puzzle. */
export async function openText(text, app) {
  reading.abort();
  if (isShared(text)) {
    try {
      app.open(await sharedDocument(text), { mode: "play" });
      const count = countShared(text);
      const advice = "The first is open; open the others one by one.";
      if (count > 1) app.toast(`The text holds ${count} puzzles. ${advice}`);
    } catch (error) {
      app.toast(error.message, { error: true });
    }
    return;
  }
  await openRead(new Blob([text]), "", app);
}

async function openRead(blob, name, app) {
  let found;
  reading = new AbortController();
  const question = `read?name=${encodeURIComponent(name)}`;
  try {
    const ask = (signal) => app.answers.ask(question, new Blob([blob]), { signal });
    found = await telling(app, `Opening ${name || "the text"} …`, ask, reading);
  } catch (error) {
    if (isCalledOff(error)) return;
    app.toast(wordsOfRefusal(error.message, name), { error: true });
    return;
  }
  for (const warning of found.warnings.slice(0, 2)) app.toast(sentence(warning));
  if (found.puzzles.length === 1) openPuzzle(found.puzzles[0], app);
  else showChooser(found.puzzles, name, app);
}

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Opens one puzzle of an answer to `read`. */
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
  // Who goes on to another mode has read it.
  const end = app.store.subscribe((state) => {
    if (state.mode === mode) return;
    close();
    end();
  });
}

/** A file of many puzzles: one is chosen. */
function showChooser(puzzles, name, app) {
  if (puzzles.length === 0)
    return app.toast(`${name || "The text"} holds no puzzle.`, { error: true });
  const list = h("div.chooser.stack", { role: "list" });
  const choose = (puzzle) => () => {
    dialog.close();
    openPuzzle(puzzle, app);
  };
  const show = (wanted) => {
    const words = wanted.toLowerCase();
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
  const dialog = showDialog(`${puzzles.length} puzzles${name ? ` in ${name}` : ""}`, [
    puzzles.length > 8 ? search : "",
    list,
  ]);
  return dialog;
}

/** A dialog to paste or type a puzzle as text. */
export function showTextDialog(app) {
  const area = h("textarea", {
    rows: "10",
    "aria-label": "Text",
    spellcheck: "false",
    class: "tabular",
    placeholder: "rows\n1 1\n3\n\ncolumns\n2\n1\n2",
  });
  showDialog(
    "Open a text",
    [
      h(
        "p.muted",
        {},
        "Clues in any usual writing, the text of a file, an address of puzz.link, a shared puzzle.",
      ),
      area,
    ],
    [
      { label: "Cancel" },
      {
        label: "Open",
        primary: true,
        run: () => (area.value.trim() ? openText(area.value, app) : false),
      },
    ],
  );
  area.focus();
}
