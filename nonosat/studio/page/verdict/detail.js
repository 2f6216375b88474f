// Details below the verdict, shown after a button was pressed.

import { copyText } from "../ui/copy.js";
import { button, h } from "../ui/dom.js";
import { breakdown } from "./breakdown.js";
import { pricesInWords } from "./model.js";

/** The elements of the selected detail; none if nothing is selected. */
export function detail({ view, data }, app) {
  if (!view || !data) return [];
  if (view === "other") {
    return h("p.note.plain", {}, description(data));
  }
  if (view === "beliefs") {
    return h(
      "p.note.plain",
      {},
      "How likely each cell is filled, estimated from the clues: darker = more likely filled. " +
        "This is an estimate, not a proof.",
    );
  }
  if (view === "rate") return [breakdown(data)];
  if (view === "prices") return prices(data);
  return certificate(data, app);
}

/** Description of the board if it shows another picture than the drawing, or than the clues. */
function description({ differing, isOnly }) {
  if (differing)
    return (
      "The board shows another solution of the same clues. Hatched cells differ from the " +
      "drawing."
    );
  if (isOnly) return "The board shows the only solution.";
  return "The board shows a solution. Hatched places differ in other solutions.";
}

function prices(data) {
  const sentence = h("p.note.plain", {}, pricesInWords(data));
  if (!data.layers) return sentence;
  const how =
    "Rows earn the price of each cell that they fill, columns pay it. Lines without prices are " +
    "left out.";
  const tables = data.layers.map((rows, at) =>
    priceTable(rows, data.layers.length > 1 ? `Prices of colour ${data.signs[at + 1]}` : ""),
  );
  return [
    sentence,
    h("p.muted.small-text", {}, how),
    h("div.prices-view", { tabindex: "0", role: "region", "aria-label": "Price table" }, tables),
  ];
}

function priceTable(rows, title) {
  const columns = rows[0]
    .map((_, column) => column)
    .filter((column) => rows.some((line) => line[column]));
  const number = (price) =>
    price ? String(Math.round(price * 100) / 100).replace("-", "\u2212") : "·";
  const lines = rows.flatMap((line, row) =>
    line.some(Boolean)
      ? [
          h(
            "tr",
            {},
            h("th", { scope: "row" }, String(row + 1)),
            columns.map((column) => h("td", {}, number(line[column]))),
          ),
        ]
      : [],
  );
  const heads = columns.map((column) => h("th", { scope: "col" }, String(column + 1)));
  return h(
    "table.prices.tabular",
    {},
    title && h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("td"), heads)),
    h("tbody", {}, lines),
  );
}

function certificate({ name, command }, app) {
  const copy = () => copyText(command, app);
  return [
    h("p", {}, `${name} is saved. Check it with this command, which trusts no solver:`),
    h("code.command", { tabindex: "0" }, command),
    h("div", {}, button("Copy the command", copy, { class: "small", icon: "copy", text: true })),
  ];
}
