// The panel of explanations: the step in words, buttons and a slider, the list, the difficulty.

import { puzzleOf } from "../play/puzzle.js";
import { breakdown } from "../verdict/breakdown.js";
import { GRADES } from "../verdict/grades.js";
import { button, fill, h } from "../ui/dom.js";
import { SLOW_MS } from "../ui/busy.js";
import { showInks } from "../play/inks.js";
import { addressOf } from "./address.js";
import { countOf, placeIn, storyOf } from "./model.js";
import { createNotes } from "./notes.js";
import { countsOf, endInWords, stepThatSettles } from "./steps.js";

const TITLES = { whole: "All steps", clash: "Contradiction", reason: "This cell" };

/**
 * Fill the panel.
 *
 * @param {{stop: () => void}} doing Ends the search for the steps, or for a reason.
 * @returns {{show: (state: object) => void}}
 */
export function createPanel(element, app, doing) {
  const panel = build(app);
  panel.stop = button("Stop", doing.stop, { class: "small", hidden: true });
  fill(
    element,
    h("h2.panel-title", {}, "Why"),
    panel.status,
    panel.stop,
    panel.tabs,
    panel.body,
    panel.notes.line,
    panel.inks,
    panel.ending,
    panel.list,
    panel.notes.read,
    panel.difficulty,
  );
  return { show: (state) => show(panel, state, app) };
}

function build(app) {
  const go = (at) => app.store.dispatch({ type: "explain/at", at });
  const by = (step) => () => go(placeIn(app.store.get().explain) + step);
  const panel = { slow: 0, story: null, items: [], spoken: "" };
  panel.status = h("p.explain-status", { role: "status" });
  panel.tabs = h("div.row.explain-tabs", { role: "group", "aria-label": "Subject of the explanation" });
  panel.count = h("span.tabular.muted");
  panel.technique = h("span.chip");
  panel.sentence = h("p.explain-sentence");
  panel.slider = h("input", {
    type: "range",
    min: "0",
    step: "1",
    value: "0",
    "aria-label": "Step",
    oninput: () => go(Number(panel.slider.value)),
  });
  panel.first = button("To the start", () => go(0), { icon: "first", keys: "Home" });
  panel.back = button("Step back", by(-1), { icon: "left", keys: "ArrowLeft" });
  panel.next = button("Next step", by(1), { icon: "right", class: "primary", keys: "ArrowRight" });
  panel.last = button("To the end", () => go(countOf(app.store.get().explain)), {
    icon: "last",
    keys: "End",
  });
  panel.jump = button("Position in all steps", () => jump(app), { class: "small" });
  panel.body = h(
    "div.stack",
    {},
    h("div.row", {}, panel.count, panel.technique),
    h("div.row.explain-steps", {}, panel.first, panel.back, panel.slider, panel.next, panel.last),
    panel.sentence,
    panel.jump,
  );
  panel.notes = createNotes();
  panel.inks = h("p.row.inks.small-text", { hidden: true });
  panel.ending = h("p.muted.small-text");
  panel.list = h("ol.explain-list", {
    "aria-label": "Steps",
    onclick: (event) => pick(event, panel, go),
  });
  panel.inside = h("div");
  panel.difficulty = h(
    "details.explain-difficulty",
    {},
    h("summary", {}, "Difficulty"),
    panel.inside,
  );
  return panel;
}

function pick(event, panel, go) {
  const item = event.target.closest("a");
  if (!item || event.ctrlKey || event.metaKey || event.shiftKey) return; // another tab or window
  event.preventDefault();
  go(panel.items.indexOf(item) + 1);
}

/** Go from the reason of a cell to the step of the whole explanation that settles it. */
function jump(app) {
  const { doc, explain } = app.store.get();
  const at = stepThatSettles(puzzleOf(doc), explain.stories.whole, explain.stories.reason.cell);
  app.store.dispatch({ type: "explain/story", kind: "whole" });
  app.store.dispatch({ type: "explain/at", at });
}

function show(panel, state, app) {
  const { explain } = state;
  showStatus(panel, explain, adviceFor(state.doc, app));
  const story = storyOf(explain);
  const { line, read } = panel.notes;
  for (const part of [panel.body, panel.list, panel.ending, line, read]) part.hidden = !story;
  showTabs(panel, explain, app);
  if (!story) return void (panel.difficulty.hidden = true);
  if (panel.story !== story) {
    showStory(panel, story, explain);
    showInks(panel.inks, puzzleOf(state.doc));
  }
  showStep(panel, story, placeIn(explain), app);
  panel.notes.show(state);
}

/** The effect of touching the board here. */
function adviceFor(doc, app) {
  if (doc?.family === "slitherlink")
    return "Click an edge of the board to see the step that decides it.";
  return app.answers.can("reason")
    ? "Click a cell of the board to see why it is forced."
    : "Click a cell of the board to see the step that decides it.";
}

function showStatus(panel, { status, message, isReasoning }, prompt) {
  clearTimeout(panel.slow);
  const waits = status === "loading" || isReasoning;
  panel.status.classList.toggle("error", status === "failed");
  panel.stop.hidden = true;
  if (!waits) return void (panel.status.textContent = status === "failed" ? message : prompt);
  panel.slow = setTimeout(() => {
    panel.stop.hidden = false;
    panel.status.textContent = isReasoning
      ? "Searching for the smallest reason"
      : "Computing the steps";
  }, SLOW_MS);
}

function showTabs(panel, { stories, kind }, app) {
  const kinds = Object.keys(TITLES).filter((name) => stories[name]);
  panel.tabs.hidden = kinds.length < 2;
  const shown = kinds.join() + kind;
  if (panel.tabs.dataset.shown === shown) return;
  panel.tabs.dataset.shown = shown;
  const tab = (name) =>
    button(TITLES[name], () => app.store.dispatch({ type: "explain/story", kind: name }), {
      class: "small",
      "aria-pressed": String(name === kind),
    });
  const focused = panel.tabs.contains(document.activeElement);
  fill(panel.tabs, kinds.map(tab));
  if (focused) panel.tabs.querySelector("[aria-pressed=true]")?.focus();
}

function showStory(panel, story, { found, stories }) {
  panel.story = story;
  panel.slider.max = String(story.steps.length);
  panel.items = story.steps.map((step, at) =>
    h(
      "a.explain-item",
      { href: addressOf(story.kind, at + 1) },
      h("span.explain-number.tabular.muted", {}, String(at + 1)),
      h("span", {}, step.sentence),
    ),
  );
  fill(
    panel.list,
    panel.items.map((item) => h("li", {}, item)),
  );
  panel.ending.textContent = story.kind === "whole" ? endInWords(found) : endOf(story);
  panel.difficulty.hidden = story.kind !== "whole" || !story.steps.length;
  panel.jump.hidden = story.kind !== "reason" || !stories.whole;
  const { difficulty, reason } = found;
  const name =
    difficulty === null || difficulty === undefined ? "" : GRADES[Math.floor(difficulty)];
  fill(
    panel.inside,
    breakdown({ ...countsOf(story.steps), difficulty: difficulty ?? null, name, reason }),
  );
}

function endOf(story) {
  const count = story.lines.length;
  if (story.kind !== "reason" || !count) return "";
  if (count === 1) return "One clue is sufficient.";
  return story.isSmallest
    ? `No fewer than these ${count} clues force it.`
    : `None of these ${count} clues can be left out.`;
}

function showStep(panel, story, at, app) {
  const step = story.steps[at - 1];
  const count = story.steps.length;
  panel.count.textContent = `Step ${at} of ${count}`;
  panel.technique.textContent = step?.technique ?? "";
  panel.technique.hidden = !step;
  panel.sentence.textContent = step?.sentence ?? story.sentence;
  panel.slider.value = String(at);
  panel.slider.setAttribute(
    "aria-valuetext",
    `Step ${at} of ${count}: ${panel.sentence.textContent}`,
  );
  panel.first.disabled = panel.back.disabled = at === 0;
  panel.last.disabled = panel.next.disabled = at === count;
  panel.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = panel.items[at - 1];
  item?.setAttribute("aria-current", "step");
  if (item)
    showInMiddle(panel.list, item.parentElement);
  const spoken = `${panel.count.textContent}. ${panel.sentence.textContent}`;
  if (spoken !== panel.spoken) app.announce(spoken);
  panel.spoken = spoken;
}

/** Scroll repeatedly, because items have their true height only after they are rendered. */
function showInMiddle(list, item, times = 5) {
  if (!times || !item.firstChild.hasAttribute("aria-current")) return;
  list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
  requestAnimationFrame(() => showInMiddle(list, item, times - 1));
}
