// The panel of a game: time, tools, colours, undo, hint, check, and a short message at the end.

import { inkOn } from "../state/colours.js";
import { button, fill, h, icon } from "../ui/dom.js";
import { createBusyLine } from "../ui/busy.js";
import { progressOf } from "./rules.js";
import { timeText } from "./progress.js";
import { puzzleOf, whyUnplayable } from "./puzzle.js";

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
  const panel = { palette: "", spoken: false };
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
    h("div", {}, panel.again),
  );
  return panel;
}

function restart(app) {
  const { name, marks, seconds } = app.store.get().play;
  const back = { type: "play/begin", name, kept: { marks, seconds } };
  app.store.dispatch({ type: "play/restart" });
  app.toast("The board is empty again.", {
    action: { label: "Undo", run: () => app.store.dispatch(back) },
  });
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
  showNote(panel, play);
  showSolved(panel, play, isLoop);
}

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
    const swatches = puzzle.palette.map((colour, at) => {
      const item = h(
        "button.play-colour",
        {
          type: "button",
          "aria-label": `Colour ${at + 1}`,
          title: `Colour ${at + 1}${at < 9 ? ` (${at + 1})` : ""}`,
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

function showNote(panel, { hint, note, pending }) {
  panel.busyLine.show(ACTIVITIES[pending]);
  const text = hint ? [...hint.before, hint.sentence].join(" ") : note;
  panel.note.hidden = !text;
  panel.note.classList.toggle("old", Boolean(pending));
  if (panel.sentence.textContent !== text) panel.sentence.textContent = text;
  panel.apply.hidden = !hint;
}

function showSolved(panel, { isSolved, seconds }, isLoop) {
  panel.solved.hidden = !isSolved;
  if (!isSolved || panel.solved.dataset.time === String(seconds)) return;
  panel.solved.dataset.time = String(seconds);
  const what = isLoop ? "The loop is closed." : "Every clue holds.";
  fill(
    panel.solved,
    icon("check"),
    h("div", {}, h("strong", {}, `Solved in ${timeText(seconds)}`), h("p", {}, what)),
  );
}
