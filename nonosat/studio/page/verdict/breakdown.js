// The difficulty of a puzzle, by the techniques that it needs.

import { h } from "../ui/dom.js";

/** A difficulty for people: grade and tenths, "6.0"; "" for none. */
export function gradeText(difficulty) {
  return typeof difficulty === "number" ? difficulty.toFixed(1) : "";
}

/**
 * Techniques of a rating, hardest last as in the library.
 *
 * @param {{steps: object, cells: object}} rating Counts by technique.
 * @returns {{technique: string, steps: number, cells: number, share: number}[]} share of all
 *   cells.
 */
export function breakdownOf({ steps, cells }) {
  const all = Object.values(cells).reduce((sum, count) => sum + count, 0);
  return Object.keys(steps).map((technique) => ({
    technique,
    steps: steps[technique],
    cells: cells[technique] ?? 0,
    share: all ? (cells[technique] ?? 0) / all : 0,
  }));
}

/**
 * A difficulty as a list of techniques with bars.
 *
 * @param {object} rating `{ difficulty, name, steps, cells }`.
 */
export function breakdown(rating) {
  const head =
    rating.difficulty === null
      ? h("p", {}, rating.reason || "This puzzle has no difficulty.")
      : h(
          "p",
          {},
          h("b", {}, `${gradeText(rating.difficulty)} · ${rating.name}`),
          " ",
          h("span.muted", {}, "by its hardest technique"),
        );
  const rows = breakdownOf(rating).map(({ technique, steps, cells, share }) => {
    const bar = h("span");
    bar.style.width = `${Math.max(2, 100 * share)}%`;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, technique),
      h("td.tabular", {}, String(steps)),
      h("td.tabular", {}, String(cells)),
      h("td.breakdown-bar", {}, h("div.meter", {}, bar)),
    );
  });
  const titles = ["Technique", "Steps", "Cells", "Share"].map((title) =>
    h("th", { scope: "col" }, title),
  );
  return h(
    "div.stack",
    {},
    head,
    h("table.breakdown", {}, h("thead", {}, h("tr", {}, titles)), h("tbody", {}, rows)),
  );
}
