// Puzzles to play, below the drawings of the gallery: opened packs, then bundled ones in groups,
// with filters. Solved ones show their picture.

import { browserStorage, createProgress } from "../play/progress.js";
import { button, fill, h, icon } from "../ui/dom.js";
import { GRADES } from "../verdict/grades.js";
import {
  createPacks,
  entryOfGallery,
  entryOfPack,
  passes,
  SIZES,
  solutionFound,
} from "./packs.js";
import { emblem, thumbnail } from "./thumbnail.js";

const TILES = 60; // of a group, until all are requested
const RATE_S = 10; // limit of a rating

/**
 * Fill the part of the gallery; `refresh()` shows what was solved since. `app.next()` returns a
 * function that opens the next unsolved puzzle of the same pack, or of the gallery, or null;
 * `app.openPack(pack)` stores a pack and shows it.
 */
export function mountPuzzles(element, app) {
  const progress = createProgress(browserStorage("localStorage"), () => Date.now());
  const packs = createPacks(browserStorage("localStorage"));
  const own = h("div.stack.groups");
  const filter = { size: "", grade: "" };
  const bar = h("div.row.filters", { role: "group", "aria-label": "Filter", hidden: true });
  const shown = h("div.stack.groups");
  let groups = [];
  const solved = ({ doc }) => solutionFound(doc, progress);
  const section = createSections(app, solved, () => refresh());
  const remove = (pack) => {
    const restore = () => packs.add(pack) && refresh();
    packs.remove(pack.name);
    refresh();
    bar.querySelector("select")?.focus();
    app.toast(`Removed ${pack.name}.`, { action: { label: "Undo", run: restore } });
  };
  const sectionOfPack = (pack) => {
    const end = button(`Remove ${pack.name}`, () => remove(pack), {
      icon: "close",
      class: "quiet small",
    });
    return section(pack.name, ofPack(pack), end);
  };
  const refresh = () => {
    fill(own, packs.list().map(sectionOfPack));
    showGroups();
  };
  const showGroups = () => {
    const sections = groups.map(([name, entries]) =>
      section(
        name,
        entries.filter((entry) => passes(entry, filter)),
      ),
    );
    const none = h("p.muted", {}, "No puzzle has this size and difficulty.");
    fill(shown, groups.length && !sections.some(Boolean) ? none : sections);
  };
  app.next = () => {
    const lists = [...packs.list().map(ofPack), groups.flatMap(([, entries]) => entries)];
    return nextOf(lists, solved, app);
  };
  app.openPack = (pack) => {
    const name = packs.add(pack);
    if (!name) return false;
    app.store.dispatch({ type: "mode", mode: "gallery" });
    refresh();
    own.firstChild.scrollIntoView({ block: "start" });
    own.querySelector(".tile-open").focus({ preventScroll: true });
    rate({ ...pack, name }, packs, app).then(() => keepFocus(own, refresh));
    return true;
  };
  element.append(own, bar, shown);
  load(app).then((found) => {
    if (typeof found === "string") return fill(shown, h("p.note", {}, found));
    groups = found;
    fillFilters(bar, groups, filter, showGroups);
    return refresh();
  });
  return { refresh };
}

const ofPack = (pack) => pack.puzzles.map((_, at) => entryOfPack(pack, at));

/** Rate the first puzzles of a pack, one after the other, if there are answers to it. */
async function rate({ name, puzzles }, packs, app) {
  const difficulties = [];
  try {
    for (const puzzle of puzzles.slice(0, TILES)) {
      if (!app.answers.can("rate", puzzle.family)) {
        difficulties.push(null);
        continue;
      }
      const found = await app.answers.query("rate", { puzzle: { puzzle }, seconds: RATE_S });
      difficulties.push(found.difficulty);
    }
    packs.rate(name, puzzles, difficulties);
  } catch {
    // The connection is lost, or there is no room: the cards show no difficulty.
  }
}

/** Call a function that makes the tiles of an element anew; the same tile keeps the focus. */
function keepFocus(element, change) {
  const tiles = () => [...element.querySelectorAll(".tile-open")];
  const at = tiles().indexOf(document.activeElement);
  change();
  tiles()[at]?.focus({ preventScroll: true });
}

/** A function that makes the section of a group; at first it shows some of the tiles. */
function createSections(app, solved, refresh) {
  const expanded = new Set(); // names of groups of which all tiles are shown
  return (name, entries, end = null) => {
    const showAll = () => {
      expanded.add(name);
      refresh();
    };
    const most = expanded.has(name) ? entries.length : TILES;
    return groupOf(name, entries, { solved, app, end, most, showAll });
  };
}

/** The bundled groups, `[name, entries]` each; a sentence if they cannot be loaded. */
async function load(app) {
  try {
    const groups = await app.answers.query("gallery");
    return groups.map(({ group, puzzles }) => [group, puzzles.map(entryOfGallery)]);
  } catch (error) {
    return `The bundled puzzles cannot be shown. ${error.message}`;
  }
}

function nextOf(lists, solved, app) {
  const { key } = app.store.get();
  const list = lists.find((entries) => entries.some((entry) => entry.key === key)) ?? [];
  const at = list.findIndex((entry) => entry.key === key);
  const next = list.slice(at + 1).find((entry) => !solved(entry));
  return next ? () => play(next, app) : null;
}

function fillFilters(bar, groups, filter, onChange) {
  const all = groups.flatMap(([, entries]) => entries);
  const grades = [...new Set(all.map(({ difficulty }) => Math.floor(difficulty ?? 0)))];
  const known = grades.filter(Boolean).sort((a, b) => a - b);
  const select = (name, label, options) =>
    h(
      "select",
      {
        "aria-label": label,
        onchange: ({ target }) => {
          filter[name] = target.value;
          onChange();
        },
      },
      options.map(([value, text]) => h("option", { value }, text)),
    );
  const sizes = Object.entries(SIZES).sort((a, b) => Number(a[0]) - Number(b[0]));
  const difficulties = known.map((grade) => [String(grade), GRADES[grade]]);
  fill(
    bar,
    select("size", "Size", sizes),
    select("grade", "Difficulty", [["", "Any difficulty"], ...difficulties]),
  );
  bar.hidden = false;
}

/** A group with its progress; null if no entry is left. */
function groupOf(name, entries, { solved, app, end, most, showAll }) {
  if (!entries.length) return null;
  const num = entries.length;
  const solutions = entries.map(solved);
  const done = solutions.filter(Boolean).length;
  const chip = (done || end) && h("span.chip", {}, `${done} of ${num} solved`);
  const tiles = entries.slice(0, most).map((entry, at) => tileOf(entry, solutions[at], app));
  const all = num > most && button(`All ${num}`, showAll, { class: "small" });
  return h(
    "section.stack.group",
    {},
    h("div.row", {}, h("h2", {}, name), chip || null, all, end),
    h("ul.tiles", {}, tiles),
  );
}

function tileOf(entry, solution, app) {
  const { doc, title, hiddenTitle, difficulty } = entry;
  const isPicture = solution && doc.family === "nonogram";
  const cells = isPicture && solution.map((value) => (value === 255 ? 0 : value));
  const colours = doc.palette.length > 1 ? `, ${doc.palette.length} colours` : "";
  return h(
    "li.tile",
    {},
    h(
      "button.tile-open",
      { type: "button", onclick: () => play(entry, app) },
      isPicture ? thumbnail({ ...doc, cells }) : emblem(doc),
      h("span.tile-title", {}, solution ? title : hiddenTitle),
      h("span.tile-size.tabular", {}, `${doc.width} × ${doc.height}${colours}`),
      difficulty && h("span.tile-size", {}, GRADES[Math.floor(difficulty)]),
      h("span.visually-hidden", {}, solution ? ", solved" : ", play"),
      h("span.tile-play", { class: solution ? "done" : "" }, icon(solution ? "check" : "play")),
    ),
  );
}

/** Play an entry; a game that was begun is continued. */
async function play({ key, doc }, app) {
  if (!(await app.reopen(key, "play"))) app.open(doc, { mode: "play", key });
}
