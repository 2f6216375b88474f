// The dialog for size, anchor, title, author and other texts about a picture.

import { button, h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { aboutIn, MAX_SIDE, textOfField } from "../state/document.js";
import { ANCHORS, resized } from "../state/geometry.js";

/** Show the dialog; applying it is one step of history. */
export function showResize(app) {
  const { doc } = app.store.get();
  const number = (label, value) => {
    const input = h("input", {
      type: "number",
      min: "1",
      max: String(MAX_SIDE),
      value: String(value),
      oninput: () => showLoss(),
    });
    return { input, element: h("label.field", {}, label, input) };
  };
  const text = (label, value) => {
    const input = h("input", { type: "text", value, maxlength: "120", autocomplete: "off" });
    return { input, element: h("label.field.grow", {}, label, input) };
  };
  const [columns, rows] = [number("Columns", doc.width), number("Rows", doc.height)];
  const [title, author] = [text("Title", doc.title), text("Author", doc.author)];
  const about = doc.about ?? {};
  const licence = text("Licence", about.license ?? "");
  const source = text("Source", about.source ?? "");
  const words = h("textarea", { rows: "2", maxlength: "1000" });
  words.value = about.description ?? "";
  const note = h("p.small-text.muted", { role: "status" });
  const anchor = anchorField(() => showLoss());
  const size = () => [Number(rows.input.value), Number(columns.input.value)];
  const isGood = () =>
    size().every((value) => Number.isInteger(value) && value >= 1 && value <= MAX_SIDE);
  const showLoss = () => {
    note.textContent = isGood()
      ? lossOf(doc, ...size(), anchor.value())
      : `Both are whole numbers from 1 to ${MAX_SIDE}.`;
    note.classList.toggle("error", !isGood());
  };
  const take = () => {
    if (!isGood()) return false;
    const texts = { title: textOfField(title.input.value), author: textOfField(author.input.value) };
    const [license, from] = [licence, source].map(({ input }) => input.value.trim());
    const more = { ...about, license, source: from, description: words.value.trim() };
    const next = resized(doc, ...size(), anchor.value());
    app.store.dispatch({ type: "edit", doc: { ...next, ...texts, about: aboutIn(more) } });
    return true;
  };
  showDialog(
    "Size and title",
    [
      h("div.row.top", {}, h("div.stack", {}, columns.element, rows.element), anchor.element),
      note,
      title.element,
      author.element,
      h("div.row", {}, licence.element, source.element),
      h("label.field", {}, "Description, shown after solving", words),
    ],
    [{ label: "Cancel" }, { label: "Apply", primary: true, run: take }],
  );
  return true;
}

/** The number of filled cells that a size cuts off. */
function lossOf(doc, height, width, anchor) {
  const count = (cells) => cells.reduce((sum, value) => sum + (value ? 1 : 0), 0);
  const lost = count(doc.cells) - count(resized(doc, height, width, anchor).cells);
  return lost ? `${lost} filled ${lost === 1 ? "cell is" : "cells are"} cut off.` : "";
}

/** Nine buttons: the anchor of the picture. */
function anchorField(changed) {
  let chosen = "top left";
  const items = Object.keys(ANCHORS).map((name) =>
    button(name, () => choose(name), {
      text: false,
      icon: "dot",
      role: "radio",
      class: "small anchor",
      "aria-label": name,
      title: name,
    }),
  );
  const choose = (name) => {
    chosen = name;
    items.forEach((item, at) => {
      const isChosen = Object.keys(ANCHORS)[at] === name;
      item.setAttribute("aria-checked", isChosen);
      item.tabIndex = isChosen ? 0 : -1;
    });
    changed();
  };
  const walk = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -3, ArrowDown: 3 }[event.key];
    const at = items.indexOf(document.activeElement) + (step ?? 0);
    if (!step || at < 0 || at > 8) return;
    event.preventDefault();
    items[at].focus();
    items[at].click();
  };
  const grid = h(
    "div.anchors",
    { role: "radiogroup", "aria-label": "The picture stays", onkeydown: walk },
    items,
  );
  queueMicrotask(() => choose(chosen));
  return {
    element: h("div.field.stack", {}, h("span.small-text.muted", {}, "The picture stays"), grid),
    value: () => chosen,
  };
}
