"use strict";
// Steps through the explanation: board, sentence, list. Texts are set as text, never as markup.
// The board's own script comes behind this one. It has CELL, the size of a cell; full, the width of
// the drawing; drawFrame(), which draws what stays; drawStep(index), which draws the board after so
// many steps; and it calls begin().
const data = JSON.parse(document.getElementById("data").textContent);
const { steps } = data;
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);
const board = byId("board");

function draw(tag, attributes, parent = board) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

const items = steps.map((step, index) => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const words = document.createElement("span");
  link.href = `#step-${index + 1}`;
  link.textContent = index + 1;
  words.textContent = step.sentence;
  item.append(link, words);
  item.addEventListener("click", () => show(index + 1));
  return item;
});
byId("list").append(...items);
byId("slide").max = steps.length;
let at = 0;

function show(index) {
  items[at - 1]?.removeAttribute("aria-current");
  at = Math.max(0, Math.min(steps.length, index));
  const step = steps[at - 1];
  drawStep(at);
  byId("count").textContent = `Step ${at} of ${steps.length}`;
  byId("technique").textContent = step ? step.technique : "";
  byId("sentence").textContent = step ? step.sentence : "The puzzle as it is given.";
  byId("slide").value = at;
  byId("first").disabled = byId("back").disabled = at === 0;
  byId("last").disabled = byId("next").disabled = at === steps.length;
  const item = items[at - 1];
  if (item) {
    item.setAttribute("aria-current", "step");
    const list = byId("list");
    list.scrollTop = item.offsetTop - (list.clientHeight - item.offsetHeight) / 2;
  }
  // The page's address follows, without an entry in the history for each step.
  const address = at ? `#step-${at}` : "#start";
  if (location.hash !== address && (at || location.hash)) history.replaceState(null, "", address);
}

// The step that the page's address names; 0 where it names none.
function addressed() {
  return Number(/^#step-(\d{1,9})$/.exec(location.hash)?.[1] ?? 0);
}

// Where cells are drawn small, only every fifth line is numbered, in larger figures; the board may then
// be seen in full size.
function fit() {
  const isTiny = (board.getBoundingClientRect().width / full) * CELL < 13;
  board.classList.toggle("tiny", isTiny);
  byId("zoom").hidden = !isTiny && byId("zoom").getAttribute("aria-pressed") === "false";
}

function zoom() {
  const isLarge = byId("zoom").getAttribute("aria-pressed") === "false";
  byId("zoom").setAttribute("aria-pressed", isLarge);
  byId("view").classList.toggle("large", isLarge);
  board.style.width = isLarge ? `${full}px` : "";
  fit();
}

const KEYS = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, Home: () => 0, End: () => steps.length };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  show(KEYS[event.key]());
});
byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(at - 1));
byId("next").addEventListener("click", () => show(at + 1));
byId("last").addEventListener("click", () => show(steps.length));
byId("zoom").addEventListener("click", zoom);
byId("slide").addEventListener("input", (event) => show(Number(event.target.value)));

addEventListener("hashchange", () => show(addressed()));
addEventListener("resize", fit);

function begin() {
  drawFrame();
  fit();
  show(addressed());
}
