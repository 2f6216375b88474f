// Clues typed by hand: a field for each line of a puzzle without a picture. Errors are shown
// beneath their field; a line that the live verdict reports as wrong is marked.

import { button, fill, h } from "../ui/dom.js";
import { clueOfText, dataOfClue, textOfClue } from "../state/clues.js";
import { COLOUR_LETTERS } from "../state/colours.js";
import { COLOURS, cluesOf, MAX_COLOURS, MAX_SIDE, withPuzzle } from "../state/document.js";
import { isSameTable } from "./typed.js";

const SIDES = [
  ["rows", "rowClues", "row", "Row"],
  ["columns", "columnClues", "column", "Column"],
];

/** `{ show(state) }`, which updates the fields except the one with the focus. */
export function mountClueEditor(element, app) {
  const fields = { rows: [], columns: [] };
  const problems = new Map(); // "rows 3" -> sentence
  const lists = Object.fromEntries(SIDES.map(([side]) => [side, h("div.clue-list")]));
  const colours = h("div.stack");
  const sections = SIDES.map(([side, , , name]) => section(side, name, lists[side], app));
  const note = h(
    "p.small-text.muted",
    {},
    "Lengths with spaces: 3 1 2. An empty line is 0, an unknown length is ?. Several lines can " +
      "be pasted at once.",
  );
  element.append(h("h2.panel-title", {}, "Clues"), note, colours, ...sections);
  let before = null;
  return {
    show(state) {
      const { doc } = state;
      const isOther = !isSameTable(before, state);
      before = state;
      if (isOther) problems.clear(); // they belonged to the other document
      element.hidden = doc.kind !== "puzzle" || doc.family !== "nonogram";
      if (element.hidden) return;
      showColours(colours, app, doc);
      const clues = cluesOf(doc);
      for (const [side, name, one, title] of SIDES) {
        grow(fields[side], lists[side], clues[name].length, (at) =>
          lineField(side, title, at, app, problems),
        );
        const wrong = wrongOf(state, one);
        fields[side].forEach((field, at) => {
          const typed = problems.get(`${side} ${at}`);
          const isKept = typed || (!isOther && document.activeElement === field.input);
          if (!isKept) showText(field, clues[name][at], doc);
          showProblem(field, typed ?? wrong.get(at) ?? "");
        });
      }
    },
  };
}

/** Move the focus into the first field. */
export function focusFirstClue() {
  document.querySelector("#drawing .clue-list input")?.focus();
}

const CLASH = "This clue contradicts the others that are marked."; // the verdict has the details
const ALONE = "No filling of this line satisfies its clue.";

/** Lines that the live verdict reports as wrong, with its message: sentences by number from 0. */
export function wrongOf({ verdict }, side) {
  const found = verdict?.shown ?? {};
  const wrong = new Map();
  const { error, lines = [], sentence } = found;
  if (error?.line?.[side] !== undefined) wrong.set(error.line[side], error.message);
  // One line alone contradicts no other: the verdict states its error.
  const why = lines.length === 1 ? sentence || ALONE : CLASH;
  for (const line of lines) if (line[side] !== undefined) wrong.set(line[side], why);
  return wrong;
}

function section(side, name, list, app) {
  const change = (count) => () => {
    const { doc } = app.store.get();
    const lines = doc.puzzle[side].slice();
    if (count > 0) lines.push([]);
    else lines.pop();
    if (lines.length >= 1 && lines.length <= MAX_SIDE)
      take(app, "edit", { ...doc.puzzle, [side]: lines });
  };
  const one = name.toLowerCase();
  return h(
    "details.clue-side",
    { open: true },
    h("summary", {}, `${name}s`),
    list,
    h(
      "div.row",
      {},
      button(`Add a ${one}`, change(1), { class: "small" }),
      button("Remove the last", change(-1), {
        class: "small quiet",
        "aria-label": `Remove the last ${one}`,
      }),
    ),
  );
}

function grow(fields, list, count, make) {
  while (fields.length > count) fields.pop().element.remove();
  while (fields.length < count) {
    const field = make(fields.length);
    fields.push(field);
    list.append(field.element);
  }
}

function lineField(side, name, at, app, problems) {
  const id = `clue-${side}-${at}`;
  const problem = h("span.error.small-text", { id: `${id}-problem`, role: "alert" });
  const type = (action) => {
    const error = takeText(app, side, at, input.value, action);
    if (error) problems.set(`${side} ${at}`, error);
    else problems.delete(`${side} ${at}`);
    input.setAttribute("aria-invalid", error ? "true" : "false");
    problem.textContent = error;
  };
  const input = h("input.tabular", {
    type: "text",
    "aria-label": `${name} ${at + 1}`,
    "aria-describedby": `${id}-problem`,
    autocomplete: "off",
    spellcheck: "false",
    inputmode: "text",
    oninput: () => type("draft"),
    onchange: () => type("commit"),
    onpaste: (event) => pasteLines(event, app, side, at),
    onkeydown: (event) => walk(event, input),
  });
  return {
    input,
    problem,
    element: h(
      "div.clue-line",
      {},
      h("span.muted.tabular", { "aria-hidden": "true" }, String(at + 1)),
      input,
      problem,
    ),
  };
}

/** Move from line to line by Up, Down and Enter. */
function walk(event, input) {
  const step = { ArrowUp: -1, ArrowDown: 1, Enter: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...input.closest(".clue-list").querySelectorAll("input")];
  all[all.indexOf(input) + step]?.focus();
}

function showText({ input }, clue, doc) {
  const text = clue.length ? textOfClue(clue, doc.palette.length > 1) : "";
  if (input.value !== text) input.value = text;
}

function showProblem({ input, problem }, words) {
  input.setAttribute("aria-invalid", words ? "true" : "false");
  if (problem.textContent !== words) problem.textContent = words;
}

/** Apply the typed clue to the puzzle; return the reason why it cannot be read, or "". */
function takeText(app, side, at, text, type) {
  const { doc } = app.store.get();
  if (!doc.puzzle?.[side]) return ""; // another document was opened while this was typed
  const { clue, error } = clueOfText(text, doc.palette.length);
  if (error) return error;
  const lines = doc.puzzle[side].slice();
  lines[at] = dataOfClue(clue, Object.keys(doc.puzzle.colors ?? {}));
  if (JSON.stringify(lines[at]) !== JSON.stringify(doc.puzzle[side][at]))
    take(app, "draft", { ...doc.puzzle, [side]: lines });
  if (type === "commit") app.store.dispatch({ type: "commit" });
  return "";
}

/** Store a puzzle with changed clues, without the data that belonged to the old ones. */
function take(app, type, puzzle) {
  const { goal, saved, given, width, height, ...rest } = puzzle;
  put(app, type, { ...rest, width: puzzle.columns.length, height: puzzle.rows.length });
}

function put(app, type, puzzle) {
  app.store.dispatch({ type, doc: withPuzzle(app.store.get().doc, puzzle) });
}

/** Fill a field and those after it with several pasted lines; the board grows as needed. */
function pasteLines(event, app, side, at) {
  const text = event.clipboardData.getData("text/plain").replace(/\s+$/, "");
  const lines = text.split(/\r?\n/);
  if (lines.length < 2) return;
  event.preventDefault();
  const { doc } = app.store.get();
  const keys = Object.keys(doc.puzzle.colors ?? {});
  const read = lines.slice(0, MAX_SIDE - at).map((line) => clueOfText(line, doc.palette.length));
  const bad = read.findIndex(({ error }) => error);
  if (bad >= 0) {
    app.toast(`Line ${bad + 1} of what was pasted: ${read[bad].error}`, { error: true });
    return;
  }
  const all = doc.puzzle[side].slice();
  read.forEach(({ clue }, index) => (all[at + index] = dataOfClue(clue, keys)));
  event.target.blur();
  take(app, "edit", { ...doc.puzzle, [side]: all });
}

/** The colours of clues, each with the letter that is typed for it. */
function showColours(element, app, doc) {
  const isColoured = doc.palette.length > 1;
  const recolour = (at) => (event) => {
    const keys = Object.keys(doc.puzzle.colors);
    put(app, "edit", {
      ...doc.puzzle,
      colors: { ...doc.puzzle.colors, [keys[at]]: event.target.value },
    });
  };
  const pickers = doc.palette.map((colour, at) => {
    const letter = COLOUR_LETTERS[at];
    return h(
      "label.row",
      {},
      letter,
      h("input", {
        type: "color",
        value: colour,
        onchange: recolour(at),
        "aria-label": `Colour ${letter}`,
      }),
    );
  });
  const add =
    doc.palette.length < MAX_COLOURS &&
    button("Add a colour", () => addColour(app), { class: "small" });
  fill(element, h("div.row", {}, isColoured ? pickers : null, add));
}

function addColour(app) {
  const { puzzle, palette } = app.store.get().doc;
  put(app, "edit", withColour(puzzle, palette));
}

/**
 * Add a colour that no clue has yet to a puzzle, written with keys.
 *
 * @param {object} puzzle DATA of a nonogram.
 * @param {string[]} palette Its colours, for CSS.
 */
export function withColour(puzzle, palette) {
  const colors = { ...(puzzle.colors ?? { a: palette[0] }) };
  const key = [...COLOUR_LETTERS].find((letter) => !(letter in colors));
  const first = Object.keys(colors)[0];
  colors[key] = COLOURS.find((colour) => !palette.includes(colour)) ?? "#888888";
  const coloured = (line) =>
    line.map((block) => (Array.isArray(block) || block === 0 ? block : [block, first]));
  const named = ([row, column, value]) => [row, column, value === 1 ? first : value];
  return {
    ...puzzle,
    colors,
    rows: puzzle.rows.map(coloured),
    columns: puzzle.columns.map(coloured),
    ...(puzzle.given && { given: puzzle.given.map(named) }),
  };
}
