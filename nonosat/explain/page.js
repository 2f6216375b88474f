"use strict";
// Steps through the explanation: board, sentence, list. Texts are set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const { height, width, rows, columns, inks, start, steps } = data;
const SVG = "http://www.w3.org/2000/svg";
const CELL = 20;
const isMono = Object.keys(inks).length === 2 && inks["#"] === "#000000";
const byId = (id) => document.getElementById(id);

// boards[k] are the rows after k steps.
const boards = [start];
for (const step of steps) {
  const board = boards[boards.length - 1].map((row) => [...row]);
  for (const [row, column, sign] of step.settled) board[row][column] = sign;
  boards.push(board.map((row) => row.join("")));
}

const long = (words) => words.reduce((sum, word) => sum + 7 * word.length + 5, 6);
const left = Math.max(...rows.map(long));
const deep = Math.max(...columns.map((words) => words.length)) * 14 + 8;
const board = byId("board");
const MARGIN = 18; // for every fifth index, right and below
board.setAttribute("viewBox", `${-left} ${-deep} ${left + width * CELL + MARGIN} ${deep + height * CELL + MARGIN}`);

function draw(tag, attributes, parent = board) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  parent.append(node);
  return node;
}

const seen = draw("g", {});
const cells = draw("g", {});
const frame = draw("g", {});
const marks = draw("g", {});

function write(text, x, y, anchor, more = {}) {
  draw("text", { x, y, "text-anchor": anchor, "font-size": 12, ...more }, frame).textContent = text;
}

function drawFrame() {
  rows.forEach((words, row) => {
    let x = -5;
    for (const word of [...words].reverse()) {
      write(word, x, row * CELL + 14.5, "end");
      x -= 7 * word.length + 5;
    }
  });
  columns.forEach((words, column) => {
    words.forEach((word, at) => write(word, (column + 0.5) * CELL, -6 - 14 * (words.length - 1 - at), "middle"));
  });
  const small = { class: "index", "font-size": 9 };
  for (let row = 0; row < height; row += 5) write(row, width * CELL + 4, row * CELL + 13, "start", small);
  for (let column = 0; column < width; column += 5) write(column, (column + 0.5) * CELL, height * CELL + 12, "middle", small);
  for (const isBold of [false, true]) {
    const path = [];
    for (let row = 0; row <= height; row++) if ((row % 5 === 0 || row === height) === isBold) path.push(`M0 ${row * CELL}H${width * CELL}`);
    for (let column = 0; column <= width; column++) if ((column % 5 === 0 || column === width) === isBold) path.push(`M${column * CELL} 0V${height * CELL}`);
    draw("path", { class: isBold ? "rule bold" : "rule", d: path.join("") }, frame);
  }
}

// One path a value: a board of 60x60 is redrawn with a handful of elements.
function drawCells(board) {
  const paths = {};
  board.forEach((line, row) => {
    [...line].forEach((sign, column) => {
      const x = column * CELL;
      const y = row * CELL;
      let path = `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`;
      if (sign === ".") path = `M${x + 6.5} ${y + 6.5}l7 7m0 -7l-7 7`;
      if (sign === "?") path = `M${x + 9} ${y + 9}h2v2h-2z`;
      (paths[sign] ??= []).push(path);
    });
  });
  cells.replaceChildren();
  if (!isMono) draw("rect", { width: width * CELL, height: height * CELL, fill: inks["."] }, cells);
  for (const [sign, parts] of Object.entries(paths)) {
    const attributes = { d: parts.join(""), class: sign === "." ? "empty" : sign === "?" ? "open" : "ink" };
    if (attributes.class === "ink") attributes.fill = isMono ? "var(--filled)" : inks[sign];
    draw("path", attributes, cells);
  }
}

function box(row, column, name) {
  draw("rect", { x: column * CELL + 1, y: row * CELL + 1, width: CELL - 2, height: CELL - 2, class: name }, marks);
}

// What would follow from an assumption, in puzzles of one colour: a dot is filled, a cross empty.
function drawGhosts(chain) {
  for (const [row, column, sign] of chain.flatMap((link) => link.rules_out)) {
    const x = column * CELL;
    const y = row * CELL;
    if (sign === ".") draw("circle", { cx: x + 10, cy: y + 10, r: 4, class: "ghost filled" }, marks);
    else draw("path", { d: `M${x + 7} ${y + 7}l6 6m0 -6l-6 6`, class: "ghost" }, marks);
  }
}

function drawMarks(step) {
  seen.replaceChildren();
  marks.replaceChildren();
  if (!step) return;
  for (const line of step.lines) {
    const isRow = "row" in line;
    const x = isRow ? -left : line.column * CELL;
    const y = isRow ? line.row * CELL : -deep;
    const size = isRow ? { width: left + width * CELL, height: CELL } : { width: CELL, height: deep + height * CELL };
    draw("rect", { x, y, ...size, class: "seen" }, seen);
  }
  for (const [row, column] of [...step.settled, ...(step.ruled_out ?? [])]) box(row, column, "new");
  if (step.chain && Object.keys(inks).length === 2) drawGhosts(step.chain);
  if (step.assumed) box(step.assumed[0], step.assumed[1], "assumed");
}

const items = steps.map((step, index) => {
  const item = document.createElement("li");
  item.textContent = `${index + 1}. ${step.sentence}`;
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
  drawCells(boards[at]);
  drawMarks(step);
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
    list.scrollTop = item.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

const KEYS = { ArrowRight: () => at + 1, ArrowLeft: () => at - 1, ArrowDown: () => at + 1, ArrowUp: () => at - 1, Home: () => 0, End: () => steps.length };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  show(KEYS[event.key]());
});
byId("first").addEventListener("click", () => show(0));
byId("back").addEventListener("click", () => show(at - 1));
byId("next").addEventListener("click", () => show(at + 1));
byId("last").addEventListener("click", () => show(steps.length));
byId("slide").addEventListener("input", (event) => show(Number(event.target.value)));

drawFrame();
show(0);
