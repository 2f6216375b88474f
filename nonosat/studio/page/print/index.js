// Printing: the browser's own command prints a sheet of the open puzzle, never the page.

import { puzzleOf } from "../play/puzzle.js";
import { fill, h } from "../ui/dom.js";
import { sheetOf } from "./sheet.js";

const CELL_MM = 8; // on paper, if the board is not wider or higher than the page

let isWithSolution = false; // for the print in progress

/** Keep a sheet that only print media show (print.css). */
export function mountPrint(app) {
  const element = h("div.sheet");
  document.body.append(element);
  addEventListener("beforeprint", () => fill(element, pagesOf(app.store.get())));
  addEventListener("afterprint", () => {
    isWithSolution = false;
    fill(element);
  });
}

/** Open the browser's dialog; a picture may be printed with its solution on a second page. */
export function printSheet({ withSolution = false } = {}) {
  isWithSolution = withSolution;
  window.print();
}

function pagesOf({ mode, doc }) {
  if (mode === "gallery") return h("p", {}, "Open a puzzle to print its sheet.");
  const puzzle = puzzleOf(doc);
  const page = (cells) => h("div.sheet-page", {}, heading(doc), svgOf(sheetOf(puzzle, cells)));
  return isWithSolution && doc.kind === "picture" ? [page(null), page(doc.cells)] : page(null);
}

function heading({ title, author, height, width, about = {} }) {
  const { copyright, license, source } = about;
  const facts = [author && `by ${author}`, copyright, license, source, `${width} × ${height}`];
  return [h("h1", {}, title || "Puzzle"), h("p", {}, facts.filter(Boolean).join(", "))];
}

function svgOf({ width, height, shapes }) {
  const root = shape("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width: `${width * CELL_MM}mm`,
    "font-family": "sans-serif",
  });
  root.append(...shapes.map((one) => shape(...one)));
  return root;
}

function shape(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}
