// The panel of a game: time, tools, colours, undo, hint, check, and a short message at the end.

import { inkOn, namesOfPalette } from "../state/colours.js";
import { button, fill, h, icon } from "../ui/dom.js";
import { createBusyLine } from "../ui/busy.js";
import { progressOf } from "./rules.js";
import { timeText } from "./progress.js";
import { showRules } from "./help.js";
import { puzzleOf, whyUnplayable } from "./puzzle.js";

const MOST_NAMED = 4; // lines of a hint
const OPTIONS = {
  crosses: "Cross out finished lines",
  advance: "Mark lines that decide more cells",
  mistakes: "Show mistakes at once",
  numbers: "Numbers of rows and columns",
};
const ACTIVITIES = { "": "", hint: "Searching for the next step", check: "Checking the marks" };

/**
 * Fill the panel.
 *
 * @param {HTMLElement} element
 * @param {object} app
 * @param {{hint: () => void, check: () => void, apply: () => void, stop: () => void}} work
 * @returns {{show: (state: object) => void}}
 */
export function createPanel(element, app, work) {
  const panel = build(app, work);
  fill(
    element,
    h("div.row.play-head", {}, h("h2.panel-title.grow", {}, "Play"), panel.lines, panel.time),
    panel.cannot,
    panel.body,
  );
  return { show: (state) => show(panel, state, app) };
}

function build(app, work) {
  const send = (type, more) => () => app.store.dispatch({ type, ...more });
  const tool = (name, label, keys, sign) =>
    button(label, send("play/tool", { tool: name }), {
      icon: sign,
      text: true,
      keys,
      class: "grow",
    });
  const panel = { palette: "", options: {} };
  panel.time = h("span.chip", { title: "Time; it stops while this page is hidden" });
  panel.lines = h("span.chip", { title: "Lines that match their clue" });
  panel.cannot = h("p.muted", { hidden: true });
  panel.fill = tool("fill", "Fill", "Space", "pen");
  panel.cross = tool("cross", "Cross", "X", "close");
  panel.colours = h("div.row.play-colours", { role: "group", "aria-label": "Colours" });
  panel.undo = button("Undo", send("play/undo"), { icon: "undo", keys: "Ctrl+Z" });
  panel.redo = button("Redo", send("play/redo"), { icon: "redo", keys: "Ctrl+Y" });
  panel.hint = button("Hint", work.hint, { icon: "hint", text: true, keys: "H", class: "grow" });
  panel.check = button("Check", work.check, {
    icon: "check",
    text: true,
    keys: "C",
    class: "grow",
  });
  const rules = button("Rules", () => showRules(puzzleOf(app.store.get().doc)), {
    class: "small quiet",
  });
  panel.again = button("Start again", () => restart(app), { class: "small quiet" });
  panel.note = h("div.note.plain.play-note", { hidden: true });
  panel.sentence = h("p");
  panel.apply = button("Apply", work.apply, { class: "small primary" });
  panel.note.append(panel.sentence, panel.apply);
  panel.busyLine = createBusyLine(work.stop);
  panel.solved = h("div.play-solved", { hidden: true });
  panel.how = h("p.muted.small-text");
  panel.tools = h(
    "div.row.play-tools",
    { role: "group", "aria-label": "Left button and touch" },
    panel.fill,
    panel.cross,
  );
  const steps = h("div.row.play-tools", {}, panel.undo, panel.redo, panel.hint, panel.check);
  panel.body = h(
    "div.stack",
    {},
    panel.solved,
    panel.tools,
    panel.colours,
    steps,
    panel.busyLine.element,
    panel.note,
    panel.how,
    optionsOf(panel, app),
    h("div.row", {}, rules, panel.again),
  );
  return panel;
}

function optionsOf(panel, app) {
  const check = ([name, label]) => {
    const change = ({ target }) =>
      app.store.dispatch({ type: "play/option", name, value: target.checked });
    const input = h("input", { type: "checkbox", onchange: change });
    panel.options[name] = { input, element: h("label.check", {}, input, h("span", {}, label)) };
    return panel.options[name].element;
  };
  const checks = Object.entries(OPTIONS).map(check);
  return h("details.play-options", {}, h("summary", {}, "Options"), checks);
}

function showOptions({ options }, { options: chosen }, isLoop, canCheck) {
  const isShown = { crosses: !isLoop, advance: !isLoop, mistakes: canCheck, numbers: true };
  for (const [name, { input, element }] of Object.entries(options)) {
    element.hidden = !isShown[name];
    input.checked = chosen[name];
  }
}

function restart(app) {
  const { name, marks, seconds, past, options } = app.store.get().play;
  const kept = { marks, seconds, past };
  const undo = () => {
    // The document may have been edited meanwhile: these marks belong to the old clues.
    if (app.store.get().play.name !== name) return;
    app.store.dispatch({ type: "play/begin", name, kept, options });
  };
  app.store.dispatch({ type: "play/restart" });
  app.toast("The board is empty again.", { action: { label: "Undo", run: undo } });
}

function show(panel, state, app) {
  const { play, doc } = state;
  const puzzle = puzzleOf(doc);
  const isLoop = puzzle.family === "slitherlink";
  const why = whyUnplayable(puzzle);
  const isPlayable = !why;
  panel.cannot.hidden = isPlayable;
  panel.cannot.textContent = why;
  panel.body.hidden = panel.time.hidden = !isPlayable;
  panel.lines.hidden = isLoop || !isPlayable;
  if (!isPlayable || !play.marks) return;
  panel.time.textContent = timeText(play.seconds);
  if (!isLoop) {
    const { done, of } = progressOf(puzzle, play.marks);
    panel.lines.textContent = `${done} / ${of} lines`;
  }
  showTools(panel, play, puzzle, app);
  panel.how.textContent = howTo(isLoop, puzzle);
  showOptions(panel, play, isLoop, app.answers.can("hint", puzzle.family));
  showNote(panel, play);
  showSolved(panel, play, doc, app);
}

const capital = (words) => words[0].toUpperCase() + words.slice(1);

function showTools(panel, play, puzzle, app) {
  const isLoop = puzzle.family === "slitherlink";
  panel.fill.lastChild.textContent = isLoop ? "Line" : "Fill";
  panel.fill.setAttribute("aria-pressed", String(play.tool === "fill"));
  panel.cross.setAttribute("aria-pressed", String(play.tool === "cross"));
  panel.undo.disabled = !play.past.length || play.isSolved;
  panel.redo.disabled = !play.future.length || play.isSolved;
  for (const item of [panel.hint, panel.check]) {
    item.hidden = !app.answers.can("hint", puzzle.family);
    item.disabled = play.isSolved;
  }
  panel.again.disabled = !play.isBegun;
  panel.tools.hidden = play.isSolved;
  panel.colours.hidden = isLoop || puzzle.palette.length < 2 || play.isSolved;
  showColours(panel, play, puzzle, app);
}

function showColours(panel, play, puzzle, app) {
  const palette = puzzle.palette.join();
  if (panel.palette !== palette) {
    panel.palette = palette;
    const names = namesOfPalette(puzzle.palette).map(capital);
    const swatches = puzzle.palette.map((colour, at) => {
      const item = h(
        "button.play-colour",
        {
          type: "button",
          "aria-label": names[at],
          title: `${names[at]}${at < 9 ? ` (${at + 1})` : ""}`,
          onclick: () => app.store.dispatch({ type: "play/colour", colour: at + 1 }),
        },
        puzzle.signs[at + 1],
      );
      item.style.backgroundColor = colour;
      item.style.color = inkOn(colour);
      return item;
    });
    fill(panel.colours, swatches);
  }
  [...panel.colours.children].forEach((item, at) => {
    item.setAttribute("aria-pressed", String(play.tool === "fill" && play.colour === at + 1));
  });
}

function howTo(isLoop, puzzle) {
  if (isLoop)
    return "Click an edge: line, cross, empty. Right button: cross. Keys: arrows, Space, X.";
  const colours = puzzle.palette.length > 1 ? ", digits for colours" : "";
  return (
    "Left button or touch: the chosen tool; right button: the other. Drag along a line. " +
    `Keys: arrows, Space, X${colours}.`
  );
}

/** The text of a hint: at first only its lines. */
export function textOfHint({ lines, before, sentence, hasCells }) {
  if (hasCells) return [...before, sentence].join(" ");
  if (lines.length > MOST_NAMED) return "The next cells follow from the highlighted lines.";
  const names = lines.map(({ row, column }) =>
    row === undefined ? `column ${column + 1}` : `row ${row + 1}`,
  );
  return `The next cells follow from ${names.join(names.length > 2 ? ", " : " and ")}.`;
}

function showNote(panel, { hint, note, pending }) {
  panel.busyLine.show(ACTIVITIES[pending]);
  const text = hint ? textOfHint(hint) : note;
  panel.note.hidden = !text;
  panel.note.classList.toggle("old", Boolean(pending));
  if (panel.sentence.textContent !== text) panel.sentence.textContent = text;
  panel.apply.hidden = !hint;
  panel.apply.lastChild.textContent = hint?.hasCells ? "Apply" : "Show the cells";
}

/** The end: the time, the title, the author's words, the next puzzle. */
function showSolved(panel, { isSolved, seconds, name }, doc, app) {
  panel.solved.hidden = !isSolved;
  const shown = `${name} ${seconds}`;
  if (!isSolved || panel.solved.dataset.shown === shown) return;
  panel.solved.dataset.shown = shown;
  const what = doc.family === "slitherlink" ? "The loop is closed." : "Every clue holds.";
  const title = doc.secretTitle ?? doc.title;
  const about = title && [h("b", {}, title), doc.author && ` by ${doc.author}`];
  const description = doc.about?.description;
  const openNext = app.next?.(); // of the gallery
  fill(
    panel.solved,
    icon("check"),
    h(
      "div.stack",
      {},
      h("strong", {}, `Solved in ${timeText(seconds)}`),
      h("p", {}, about || what),
      description && h("p.play-description", {}, description),
      openNext && h("div", {}, button("Next puzzle", openNext, { class: "primary" })),
    ),
  );
}
