// The panel that makes a puzzle unique, easier or harder: repairs as an overlay, applied by one
// click.

import { nothingYet, toSent } from "../state/document.js";
import { isCalledOff } from "../answers/errors.js";
import { GRADES } from "../verdict/grades.js";
import { current } from "../verdict/model.js";
import { shapeOf } from "../play/puzzle.js";
import { button, fill, h } from "../ui/dom.js";
import { createBusyLine } from "../ui/busy.js";
import {
  initial,
  isProven,
  keep,
  keptCells,
  MOST,
  MOST_SHOWN,
  progressInWords,
  proofInWords,
  proposalInWords,
  proposalsOf,
  reduce,
  repaired,
  sizeOf,
} from "./model.js";

export { initial, keep, reduce };

const GRADE_S = 10;
const AIMS = [1, 2, 3, 4, 5, 6, 7]; // grades that a repair can have as its goal

/** Fill the panel. */
export function mount(element, app) {
  const panel = build(element, app);
  app.store.subscribe((state, before) => {
    if (state.mend !== before.mend || state.verdict !== before.verdict || state.doc !== before.doc)
      show(panel, app);
    if (before.mend.status === "searching" && state.mend.status !== "searching") panel.control?.abort();
  });
  show(panel, app);
}

function build(element, app) {
  const panel = { control: null, busyLine: createBusyLine(), started: 0 };
  setInterval(() => app.store.get().mend.status === "searching" && showBusy(panel, true), 1000);
  const step = (by) => () => app.store.dispatch({ type: "mend/step", by });
  panel.grade = h(
    "select",
    { "aria-label": "Target difficulty", onchange: () => setGrade(app, panel) },
    h("option", { value: "0" }, "any difficulty"),
    AIMS.map((grade) => h("option", { value: String(grade) }, `${grade} · ${GRADES[grade]}`)),
  );
  const grade = h("label.row", {}, panel.grade);
  panel.search = button("Make it unique", () => search(app, panel, MOST), { class: "primary" });
  panel.all = button("Show all single cells", () => search(app, panel, MOST_SHOWN), {
    title: "Marks every cell whose change alone leaves one solution",
  });
  panel.cancel = button("Cancel", () => app.store.dispatch({ type: "mend/drop" }));
  panel.progress = h("p.small-text.tabular");
  panel.best = button("Show the best so far", () => app.store.dispatch({ type: "mend/best" }), {
    class: "small",
  });
  panel.known = h("div.stack.mend-known", { hidden: true }, panel.progress, panel.best);
  panel.lead = h("p.mend-lead.muted.small-text");
  panel.count = h("span.tabular.grow");
  panel.words = h("p.small-text");
  panel.proof = h("p.chip.mend-proof");
  panel.found = h(
    "div.stack.mend-found",
    { role: "group", "aria-label": "Repairs", onkeydown: (event) => onKey(event, app) },
    h(
      "div.row",
      {},
      panel.count,
      (panel.back = button("Previous repair", step(-1), { icon: "left", class: "small" })),
      (panel.next = button("Next repair", step(1), { icon: "right", class: "small" })),
    ),
    panel.words,
    panel.proof,
    h(
      "div.row",
      {},
      (panel.take = button("Apply this repair", () => take(app), { class: "primary" })),
      button("Dismiss", () => app.store.dispatch({ type: "mend/drop" })),
    ),
  );
  panel.failure = h("p.note.bad");
  fill(
    element,
    h("h2.panel-title", {}, "Repair"),
    panel.lead,
    h("div.row", {}, panel.search, panel.all, panel.cancel, grade, panel.busyLine.element),
    panel.known,
    panel.failure,
    panel.found,
  );
  return panel;
}

function onKey(event, app) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  app.store.dispatch({ type: "mend/step", by });
}

function setGrade(app, panel) {
  app.store.dispatch({ type: "mend/grade", grade: Number(panel.grade.value) });
}

/** The reason why there is nothing to repair; "" if there is something. */
function reasonAgainst(app) {
  const { doc, verdict, mend } = app.store.get();
  const family = doc?.family ?? "nonogram";
  if (!["nonogram", "slitherlink"].includes(family))
    return "Only nonograms and Slitherlinks can be repaired here.";
  if (mend.grade && family !== "nonogram") return "Only nonograms can be repaired to a difficulty.";
  const nothing = nothingYet(doc);
  if (nothing) return nothing;
  if (!mend.grade && current(verdict)?.verdict === "unique") {
    const more = app.answers.can("repair-grade") ? " Choose a difficulty to make it easier or harder." : "";
    return `This puzzle is unique already.${more}`;
  }
  return "";
}

/** Search for repairs, at most `most`; MOST_SHOWN searches for all of one cell. */
async function search(app, panel, most) {
  const why = reasonAgainst(app);
  if (why) return app.toast(why);
  const { doc, mend } = app.store.get();
  const puzzle = shapeOf(doc);
  panel.control?.abort();
  const control = (panel.control = new AbortController());
  panel.started = performance.now();
  app.store.dispatch({ type: "mend/requested" });
  // For puzzles other than nonograms the library returns one repair, of clues.
  const body = { puzzle: toSent(doc), most: (doc.family ?? "nonogram") === "nonogram" ? most : 1 };
  const kept = doc.kind === "picture" ? keptCells(doc) : [];
  if (kept.length) body.keep = kept;
  // Other pictures of a grade are searched for until the limit.
  if (mend.grade) Object.assign(body, { grade: mend.grade, seconds: GRADE_S });
  try {
    const onProgress = (known) => {
      const [best = null] = proposalsOf(known, doc);
      app.store.dispatch({ type: "mend/progress", puzzle, best, least: known.least });
    };
    const answer = await repairsOf(app, doc, body, { signal: control.signal, onProgress });
    const found = proposalsOf(answer, doc);
    const singles = found.filter((one) => sizeOf(one) === 1);
    const areShown = most === MOST_SHOWN && singles.length > 0;
    const proposals = areShown ? singles : found.slice(0, MOST);
    if (control.signal.aborted) return; // the best one so far was applied meanwhile
    const { least, complete, reason } = answer;
    app.store.dispatch({ type: "mend/found", puzzle, proposals, least, complete, reason });
    if (app.store.get().mend.status !== "idle") {
      const count = proposals.length === 1 ? "1 repair" : `${proposals.length} repairs`;
      if (most === MOST_SHOWN && proposals.length && !areShown)
        app.toast("No single cell is enough; these are the smallest repairs found.");
      app.announce(proposals.length ? `${count} found. ${panel.words.textContent}` : "No repair found.");
      panel.found.scrollIntoView({ block: "nearest" }); // the panels may be a sheet that scrolls
    }
  } catch (error) {
    if (!isCalledOff(error))
      app.store.dispatch({ type: "mend/failed", puzzle, message: error.message });
  }
}

/** The answer to a request of many repairs: of few, and of more while all change one cell. */
async function repairsOf(app, doc, body, options) {
  for (let most = Math.min(body.most, MOST); ; most *= 4) {
    const answer = await app.answers.query("repair", { ...body, most }, options);
    const areSingles = proposalsOf(answer, doc).every((one) => sizeOf(one) === 1);
    if (most >= body.most || answer.repairs.length < most || !areSingles) return answer;
  }
}

function take(app) {
  const { doc, mend } = app.store.get();
  const proposal = mend.proposals[mend.at];
  if (!proposal) return;
  app.store.dispatch({ type: "edit", doc: repaired(doc, proposal) });
  app.toast("Repair applied.", {
    action: { label: "Undo", run: () => app.store.dispatch({ type: "undo" }) },
  });
}

function show(panel, app) {
  const { mend, doc } = app.store.get();
  const isSearching = mend.status === "searching";
  const why = reasonAgainst(app);
  const kept = doc?.kind === "picture" && doc.protected ? keptCells(doc).length : 0;
  panel.lead.textContent = leadOf(mend, why, kept);
  panel.search.hidden = isSearching;
  panel.all.hidden = isSearching || doc?.kind !== "picture" || mend.grade > 0 || Boolean(why);
  panel.cancel.hidden = !isSearching;
  panel.search.setAttribute("aria-disabled", String(Boolean(why)));
  panel.search.lastChild.textContent = mend.grade ? `Make it ${GRADES[mend.grade]}` : "Make it unique";
  panel.grade.hidden = !app.answers.can("repair-grade");
  panel.grade.value = String(mend.grade);
  panel.grade.disabled = isSearching;
  showBusy(panel, isSearching);
  showKnown(panel, app);
  panel.failure.hidden = !["failed", "none"].includes(mend.status);
  panel.failure.textContent = mend.status === "none" ? noneInWords(mend) : mend.message;
  panel.found.hidden = mend.status !== "found";
  if (mend.status === "found") showProposal(panel, mend, doc);
}

function showBusy(panel, isSearching) {
  const seconds = Math.floor((performance.now() - panel.started) / 1000);
  const since = seconds ? `, ${seconds} s` : "";
  panel.busyLine.show(isSearching ? `Searching for repairs${since}` : "");
}

/** Show the progress as soon as the search takes long enough to have some. */
function showKnown(panel, app) {
  const { mend, verdict, doc } = app.store.get();
  panel.known.hidden = !mend.known;
  if (!mend.known) return;
  const isMultiple = doc?.kind === "picture" && current(verdict)?.verdict === "multiple";
  panel.progress.textContent = progressInWords(mend.known, isMultiple);
  panel.best.hidden = !mend.known.best;
}

function leadOf(mend, why, kept) {
  if (why) return why;
  const stay = kept ? ` ${kept} protected cell${kept === 1 ? " stays" : "s stay"} as drawn.` : "";
  return `Finds the fewest changes that leave one solution.${stay}`;
}

function noneInWords(mend) {
  const wish = mend.grade ? " of this difficulty" : "";
  const reason = mend.message ? `: ${mend.message}` : "";
  return `No repair${wish} was found${reason}. Protect fewer cells, or change the drawing.`;
}

function showProposal(panel, mend, doc) {
  const proposal = mend.proposals[mend.at];
  panel.count.textContent = `Repair ${mend.at + 1} of ${mend.proposals.length}`;
  panel.words.textContent = proposalInWords(proposal, doc.palette.length > 1);
  panel.proof.textContent = proofInWords(mend, proposal);
  panel.proof.classList.toggle("proven", isProven(mend, proposal));
  for (const item of [panel.back, panel.next]) item.disabled = mend.proposals.length < 2;
}

/** The changes of the selected repair, and the cells of all other repairs of one cell. */
export function overlay(state) {
  if (state.mode !== "draw" || state.mend?.status !== "found") return null;
  const { proposals, at } = state.mend;
  const { changes, clues } = proposals[at];
  const singles = proposals.filter((one) => one !== proposals[at] && one.changes.length === 1);
  const others = singles.map(({ changes: [{ row, column }] }) => ({ row, column, kind: "mends" }));
  const marks = [...changes, ...clues].map((place) => ({ ...place, kind: "change" }));
  return { marks: [...others, ...marks] };
}
