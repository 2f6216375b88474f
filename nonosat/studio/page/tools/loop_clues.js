// Clues of a Slitherlink, typed by hand: a field of rows of characters.

import { h } from "../ui/dom.js";
import { MAX_SIDE, withPuzzle } from "../state/document.js";
import { isSameTable } from "./typed.js";

/**
 * Read rows of clues.
 *
 * @param {string} text A row a line, a character a cell: 0 to 4, "." (or "-") for none.
 * @returns {{rows: string[]}|{problem: string}} The rows, or their error.
 */
export function rowsOfText(text) {
  const rows = text
    .split("\n")
    .map((line) => line.replace(/\s/g, "").replaceAll("-", "."))
    .filter(Boolean);
  if (!rows.length) return { problem: "Expected at least one row of clues." };
  const width = rows[0].length;
  const strange = rows.findIndex((row) => !/^[0-4.]*$/.test(row));
  if (strange >= 0) {
    const sign = rows[strange].match(/[^0-4.]/u)[0];
    return { problem: `Row ${strange + 1} has “${sign}”, expected 0 to 4, or a dot for no clue.` };
  }
  const uneven = rows.findIndex((row) => row.length !== width);
  if (uneven >= 0) {
    return { problem: `Row ${uneven + 1} has ${rows[uneven].length} cells, row 1 has ${width}.` };
  }
  if (rows.length > MAX_SIDE || width > MAX_SIDE) {
    const size = `${width} × ${rows.length}`;
    return { problem: `The board is ${size}, expected at most ${MAX_SIDE} a side.` };
  }
  return { rows };
}

/** `{ show(state) }`, which updates the field unless it has the focus or is not readable. */
export function mountLoopEditor(element, app) {
  const problem = h("p.error.small-text", { id: "loop-problem", role: "status" });
  const field = h("textarea.loop-clues.tabular", {
    spellcheck: "false",
    "aria-label": "Clues, one row per line",
    "aria-describedby": "loop-problem",
    rows: "12",
    oninput: () => takeText(),
    onchange: () => {
      takeText();
      app.store.dispatch({ type: "commit" }); // all typing is one step of history
    },
  });
  const takeText = () => {
    const { doc } = app.store.get();
    if (doc.family !== "slitherlink") return; // another document was opened meanwhile
    const { rows, problem: words = "" } = rowsOfText(field.value);
    problem.textContent = words;
    if (!rows || rows.join() === doc.puzzle.rows.join()) return;
    app.store.dispatch({ type: "draft", doc: withPuzzle(doc, { ...doc.puzzle, rows }) });
  };
  const note = "One row per line, one character per cell: 0 to 4, a dot for no clue.";
  element.append(
    h("h2.panel-title", {}, "Clues"),
    h("p.small-text.muted", {}, note),
    field,
    problem,
  );
  let before = null;
  return {
    show(state) {
      const isOther = !isSameTable(before, state);
      before = state;
      element.hidden = state.doc.family !== "slitherlink";
      const isKept = problem.textContent || document.activeElement === field;
      if (!isOther && isKept) return;
      problem.textContent = "";
      if (!element.hidden) field.value = state.doc.puzzle.rows.join("\n");
    },
  };
}
