// What stands below the verdict once a button asked for more.

import { button, h } from "../ui/dom.js";
import { breakdownOf, pricesInWords } from "./model.js";

/** The elements of what is looked at; nothing where nothing is. */
export function detail({ view, data }, app) {
  if (!view || !data) return [];
  if (view === "other") {
    return h("p.note.plain", {}, "The board shows another solution of the same clues. Hatched cells differ.");
  }
  if (view === "beliefs") {
    return h(
      "p.note.plain", {},
      "What the clues say of each cell at first sight. Pale cells are the ones they leave open. A guess: it proves nothing.",
    );
  }
  if (view === "rate") return [breakdown(data)];
  if (view === "prices") return prices(data);
  return certificate(data, app);
}

/**
 * A difficulty as a list of techniques with bars.
 *
 * @param {object} rating `{ difficulty, name, steps, cells }`.
 */
export function breakdown(rating) {
  const head = rating.difficulty === null
    ? h("p", {}, rating.reason || "This puzzle has no difficulty.")
    : h("p", {}, h("b", {}, `${rating.difficulty} · ${rating.name}`), " ", h("span.muted", {}, "by its hardest technique"));
  const rows = breakdownOf(rating).map(({ technique, steps, cells, share }) => {
    const bar = h("span");
    bar.style.width = `${Math.max(2, 100 * share)}%`;
    return h(
      "tr", {},
      h("th", { scope: "row" }, technique),
      h("td.tabular", {}, String(steps)),
      h("td.tabular", {}, String(cells)),
      h("td.breakdown-bar", {}, h("div.meter", {}, bar)),
    );
  });
  const titles = ["Technique", "Steps", "Cells", ""].map((title) => h("th", { scope: "col" }, title));
  return h("div.stack", {}, head, h("table.breakdown", {}, h("thead", {}, h("tr", {}, titles)), h("tbody", {}, rows)));
}

function prices(data) {
  const sentence = h("p.note.plain", {}, pricesInWords(data));
  if (!data.heat) return sentence;
  const number = (price) => (price ? String(price).replace("-", "\u2212") : "·");
  const rows = data.prices.map((line, row) =>
    h("tr", {}, h("th", { scope: "row" }, String(row + 1)), line.map((price) => h("td", {}, number(price)))));
  const columns = data.prices[0].map((_, column) => h("th", { scope: "col" }, String(column + 1)));
  const table = h("table.prices.tabular", {}, h("thead", {}, h("tr", {}, h("td"), columns)), h("tbody", {}, rows));
  const how = "Rows earn the price of each cell that they fill, columns pay it.";
  return [
    sentence,
    h("p.muted.small-text", {}, how),
    h("div.prices-view", { tabindex: "0", role: "region", "aria-label": "Price table" }, table),
  ];
}

function certificate({ name, command }, app) {
  const copy = async () => {
    await navigator.clipboard.writeText(command);
    app.toast("The command is copied.");
  };
  return [
    h("p", {}, `${name} is saved. Anybody with nonosat can check it without trusting us:`),
    h("code.command", { tabindex: "0" }, command),
    h("div", {}, button("Copy the command", copy, { class: "small", icon: "copy", text: true })),
  ];
}
