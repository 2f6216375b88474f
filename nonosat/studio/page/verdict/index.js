// The panel that shows after every change if the current puzzle is unique; and its overlays on the
// board: disputed cells, contradictory clues, another solution, beliefs, prices.

import { nothingYet, toSent } from "../state/document.js";
import { puzzleOf } from "../play/puzzle.js";
import { isCalledOff } from "../answers/errors.js";
import { button, fill, h, icon } from "../ui/dom.js";
import { createBusyLine, SLOW_MS } from "../ui/busy.js";
import { save } from "../ui/save.js";
import { gradeText } from "./breakdown.js";
import { detail } from "./detail.js";
import {
  current,
  filledOf,
  heatOfPrices,
  initial,
  isOld,
  placesOf,
  priceLayers,
  reduce,
  displayed,
  secondsText,
  verdictInWords,
  wrongLines,
} from "./model.js";
import { otherOf } from "./other.js";

export { initial, reduce };

const ANNOUNCE_MS = 700; // successive strokes are announced once
const ACTIVITIES = {
  "": "",
  other: "Searching for a solution",
  beliefs: "Estimating the cells",
  rate: "Computing the difficulty",
  prices: "Searching for prices",
  certificate: "Writing the proof",
};
/** Text while there is nothing to judge, by the kind of the document. */
const BEGINNING = {
  picture: {
    tone: "plain",
    title: "Draw something",
    sentence: "The verdict follows every stroke.",
  },
  puzzle: {
    tone: "plain",
    title: "Nothing typed yet",
    sentence: "The verdict follows every clue.",
  },
};
const SIGNS = { good: "check", bad: "close", plain: "more" };

/** Fill the panel, and request a verdict after every change of the document. */
export function mount(element, app) {
  const control = { started: 0, timer: 0, isLost: false, pending: null };
  const panel = build(
    element,
    (view, question, make) => requestView(app, control, view, question, make),
    () => control.pending?.abort(),
  );
  const watch = () => judge(app, control);
  app.store.subscribe((state, before) => {
    const isNew = isAnother(state, before);
    if (isNew || state.mode !== before.mode) control.pending?.abort();
    if (isNew) watch();
    if (state.verdict !== before.verdict || state.doc !== before.doc) show(panel, app, control);
    if (state.verdict.shown !== before.verdict.shown) announceLater(app, control);
  });
  app.answers.onConnection((connection) => {
    control.isLost = connection !== "open";
    showBusy(panel, app, control);
  });
  setInterval(() => app.store.get().verdict.isSlow && showBusy(panel, app, control), 100);
  if (app.store.get().doc) watch();
  show(panel, app, control);
}

/** True if there is another puzzle to judge; titles and cursors change nothing. */
export function isAnother(state, before) {
  const [now, then] = [state.doc, before.doc];
  if (state.mode !== before.mode && (state.mode === "gallery" || before.mode === "gallery"))
    return true;
  if (!now || now === then || state.mode === "gallery") return false;
  return (
    !then || ["cells", "puzzle", "palette", "height", "width"].some((key) => now[key] !== then[key])
  );
}

function judge(app, control) {
  const { doc, mode } = app.store.get();
  clearTimeout(control.timer);
  if (!doc || mode === "gallery") return app.answers.watch(null);
  control.started = performance.now();
  // Messages come later than the number of their edit, even if this page answers itself.
  const early = [];
  let receive = (message) => early.push(message);
  const edit = app.answers.watch(toSent(doc), (message) => receive(message));
  app.store.dispatch({ type: "verdict/requested", edit });
  receive = (message) => app.store.dispatch({ type: "verdict/received", message });
  early.forEach(receive);
  control.timer = setTimeout(() => app.store.dispatch({ type: "verdict/slow", edit }), SLOW_MS);
}

function build(element, request, stop) {
  const panel = {
    box: h("div.verdict-box"),
    sign: h("span.verdict-sign"),
    title: h("strong.verdict-title"),
    sentence: h("p.verdict-sentence"),
    rating: h("span.chip", { title: "Difficulty: the hardest technique it needs" }),
    busyLine: h("p.verdict-busy.muted.tabular"),
    answer: createBusyLine(stop),
    detail: h("div.verdict-detail.stack"),
    failure: h("p.note.bad", { hidden: true }),
    buttons: {},
  };
  panel.box.append(
    panel.sign,
    h("div.grow", {}, h("div.row", {}, panel.title, panel.rating), panel.sentence),
  );
  const add = (name, label, run) => (panel.buttons[name] = button(label, run, { class: "small" }));
  const actions = h(
    "div.row.verdict-actions",
    {},
    add("other", "Other solution", () => request("other", "solve", otherOf)),
    add("rate", "Difficulty", () => request("rate", "rate", (data) => data)),
  );
  const experts = [
    add("beliefs", "How certain", () =>
      request("beliefs", "beliefs", (data) => ({ heat: filledOf(data) })),
    ),
    add("prices", "Price table", () => request("prices", "prices", pricesOf)),
    add("certificate", "Certificate", () => request("certificate", "certificate", certificateOf)),
  ];
  panel.more = h(
    "details",
    {},
    h("summary.small-text", {}, "More"),
    h("div.row.verdict-actions", {}, experts),
  );
  fill(
    element,
    h("h2.panel-title", {}, "Is it unique?"),
    panel.box,
    panel.busyLine,
    actions,
    panel.more,
    panel.answer.element,
    panel.failure,
    panel.detail,
  );
  return panel;
}

/**
 * Request the detail of a button, or hide it. The question is cancelled when another one is sent,
 * the picture changes or the mode is left.
 */
async function requestView(app, control, view, question, make) {
  const { verdict, doc } = app.store.get();
  const { edit } = verdict;
  if (verdict.view === view)
    return app.store.dispatch({ type: "verdict/view", edit, view: null, data: null });
  const why = reasonAgainst(app, view);
  if (why) return app.toast(why);
  control.pending?.abort();
  const pending = (control.pending = new AbortController());
  app.store.dispatch({ type: "verdict/busy", question: view });
  try {
    const body = { puzzle: toSent(doc), ...(view === "other" ? { most: 2 } : {}) };
    const found = await app.answers.query(question, body, { signal: pending.signal });
    if (pending.signal.aborted) return; // an answer that was on its way
    const data = make(found, puzzleOf(doc), doc, current(verdict)?.verdict);
    app.store.dispatch({ type: "verdict/view", edit, view, data });
  } catch (error) {
    if (!isCalledOff(error))
      app.store.dispatch({ type: "verdict/failed", edit, message: error.message });
  } finally {
    if (pending.signal.aborted && control.pending === pending)
      app.store.dispatch({ type: "verdict/busy", question: "" });
  }
}

/** The reason why a button is disabled; "" if it is not. */
function reasonAgainst(app, view) {
  const { verdict, doc } = app.store.get();
  const found = current(verdict);
  if (view === "other" && doc?.kind === "picture" && found?.verdict !== "multiple")
    return "Only a puzzle with several solutions has another solution.";
  if (view === "other" && !["unique", "multiple"].includes(found?.verdict))
    return "No solution of these clues is known.";
  if (view === "certificate" && !["unique", "unsolvable"].includes(found?.verdict)) {
    return "A certificate proves that a puzzle is unique, or that it has no solution.";
  }
  if (["beliefs", "prices"].includes(view) && (doc?.family ?? "nonogram") !== "nonogram")
    return "Only nonograms support this.";
  if (view === "rate" && found?.verdict !== "unique")
    return "Only a unique puzzle has a difficulty.";
  return "";
}

function pricesOf(found, puzzle) {
  const layers = priceLayers(found);
  return {
    ...found,
    layers,
    signs: puzzle.signs,
    heat: layers && heatOfPrices(layers),
    heatWords: ["low price", "high price"],
  };
}

function certificateOf(blob) {
  const name = blob.name || "certificate.zip";
  save(blob, name);
  return { name, command: blob.command };
}

function show(panel, app, control) {
  const { verdict, doc } = app.store.get();
  const isEmpty = nothingYet(doc) !== "";
  const words = isEmpty ? BEGINNING[doc.kind] : verdictInWords(displayed(verdict));
  panel.box.dataset.tone = words.tone;
  panel.box.classList.toggle("old", isOld(verdict) && !isEmpty);
  if (panel.sign.dataset.sign !== words.tone) {
    panel.sign.dataset.sign = words.tone;
    fill(panel.sign, words.tone === "warn" ? "2+" : icon(SIGNS[words.tone]));
  }
  setText(panel.title, words.title);
  setText(panel.sentence, words.sentence);
  const { count, exact } = displayed(verdict) ?? {};
  panel.sentence.title = exact && !isEmpty ? `${count} solutions` : ""; // all of their digits
  const rating = isEmpty ? null : displayed(verdict)?.rating;
  panel.rating.classList.toggle("old", Boolean(verdict.carried?.rating));
  panel.sentence.classList.toggle("old", Boolean(verdict.carried && !verdict.carried.rating));
  panel.rating.hidden = !rating?.name;
  if (rating?.name) setText(panel.rating, `${rating.name} ${gradeText(rating.difficulty)}`.trim());
  panel.answer.show(ACTIVITIES[verdict.busy]);
  panel.failure.hidden = !verdict.failure;
  setText(panel.failure, verdict.failure);
  showButtons(panel, app);
  showBusy(panel, app, control);
  if (panel.shownData !== verdict.data) fill(panel.detail, detail(verdict, app));
  panel.shownData = verdict.data;
}

function showButtons(panel, app) {
  const { verdict, doc } = app.store.get();
  const questions = {
    other: "solve",
    beliefs: "beliefs",
    rate: "rate",
    prices: "prices",
    certificate: "certificate",
  };
  for (const [view, item] of Object.entries(panel.buttons)) {
    const why = nothingYet(doc) || reasonAgainst(app, view);
    item.hidden = !app.answers.can(questions[view], doc?.family);
    item.setAttribute("aria-disabled", String(Boolean(why) || verdict.busy === view));
    item.title = why;
    item.setAttribute("aria-pressed", String(verdict.view === view));
  }
  const { beliefs, prices, certificate } = panel.buttons;
  panel.more.hidden = [beliefs, prices, certificate].every((item) => item.hidden);
  const isDrawn = doc?.kind === "picture";
  const [there, back] = isDrawn
    ? ["Other solution", "Back to the drawing"]
    : ["Solution", "Back to the clues"];
  setText(panel.buttons.other.lastChild, verdict.view === "other" ? back : there);
}

function showBusy(panel, app, control) {
  const { verdict } = app.store.get();
  const seconds = (performance.now() - control.started) / 1000;
  const waits = verdict.isSlow && isOld(verdict);
  const text = control.isLost
    ? "No connection; this drawing is not checked yet."
    : `Still searching, ${secondsText(seconds)}`;
  setText(panel.busyLine, waits ? text : "");
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function announceLater(app, control) {
  clearTimeout(control.announcing);
  control.announcing = setTimeout(() => {
    const { verdict, mode, doc } = app.store.get();
    if (!app.answers.can("solve", doc.family)) return; // the panel is hidden
    const words = nothingYet(doc) ? BEGINNING[doc.kind] : verdictInWords(current(verdict));
    if (mode === "draw" && current(verdict) && words.title !== control.announced)
      app.announce(`${words.title}. ${words.sentence}`);
    control.announced = words.title;
  }, ANNOUNCE_MS);
}

const remembered = new WeakMap();

/** The overlay of the verdict on the board in the mode draw. */
export function overlay(state) {
  if (state.mode !== "draw" || !state.verdict) return null;
  const { verdict } = state;
  // The previous verdict also stays on the board until the new one, unless that takes long.
  const key = verdict.isSlow ? null : verdict.shown;
  if (!key) return null;
  const found = displayed(verdict);
  let over = remembered.get(verdict.carried ?? key);
  if (!over) {
    const disputed = found.verdict === "multiple" ? placesOf(found.differing) : [];
    const marks = disputed.map(markOf);
    remembered.set(verdict.carried ?? key, (over = { marks, lines: wrongLines(found) }));
  }
  if (!verdict.data) return over;
  if (verdict.view === "other") {
    const { cells, edges, differing } = verdict.data;
    return { ...over, marks: differing ? differing.map(markOf) : over.marks, cells, edges };
  }
  const { heat, heatWords } = verdict.data;
  return heat ? { ...over, heat, heatWords } : over;
}

/** A disputed place: a cell, or an edge by its corners. */
function markOf(at) {
  return at.length === 4
    ? { edge: at, kind: "disputed" }
    : { row: at[0], column: at[1], kind: "disputed" };
}
