"use strict";
// Steps through the explanation: board, sentence, list. Texts are set as text, never as markup.
const data = JSON.parse(document.getElementById("data").textContent);
const { height, width, rows, columns, inks, names, start, steps } = data;
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

// A clue is a list of [text, sign]; in coloured puzzles the sign says the colour.
const long = (clue) => clue.reduce((sum, [text]) => sum + 7 * text.length + 5, 6);
const left = Math.max(...rows.map(long));
const deep = Math.max(...columns.map((clue) => clue.length)) * 14 + 8;
const board = byId("board");
const MARGIN = 8 + 10 * String(Math.max(height, width)).length; // for the numbers, right and below
const full = left + width * CELL + MARGIN;
board.setAttribute("viewBox", `${-left} ${-deep} ${full} ${deep + height * CELL + MARGIN}`);

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

// Whether white is easier to read on a colour than black (ITU-R BT.601 luma).
function isDark(rgb) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(rgb.slice(at, at + 2), 16));
  return 299 * red + 587 * green + 114 * blue < 128000;
}

// A block of a clue: black and white as text, in colour on its ink.
function block([text, sign], x, y, anchor) {
  if (!sign) return write(text, x, y, anchor);
  const size = 7 * text.length + 3;
  const from = anchor === "end" ? x - size + 1.5 : x - size / 2;
  draw("rect", { x: from, y: y - 10.5, width: size, height: 13, rx: 2, fill: inks[sign] }, frame);
  write(text, x, y, anchor, { style: `fill: ${isDark(inks[sign]) ? "#fff" : "#000"}` });
}

function number(line, x, y, anchor, baseline) {
  const name = line === 0 || line % 5 === 4 ? "index fifth" : "index";
  write(line + 1, x, y, anchor, { class: name, "dominant-baseline": baseline });
}

function drawFrame() {
  rows.forEach((clue, row) => {
    let x = -5;
    for (const part of [...clue].reverse()) {
      block(part, x, row * CELL + 14.5, "end");
      x -= 7 * part[0].length + 5;
    }
    number(row, width * CELL + 4, (row + 0.5) * CELL, "start", "central");
  });
  columns.forEach((clue, column) => {
    clue.forEach((part, at) => block(part, (column + 0.5) * CELL, -6 - 14 * (clue.length - 1 - at), "middle"));
    number(column, (column + 0.5) * CELL, height * CELL + 4, "middle", "hanging");
  });
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
      if (sign === "?") return;
      const cross = `M${x + 6.5} ${y + 6.5}l7 7m0 -7l-7 7`;
      (paths[sign] ??= []).push(sign === "." ? cross : `M${x} ${y}h${CELL}v${CELL}h${-CELL}z`);
    });
  });
  cells.replaceChildren();
  if (!isMono) draw("rect", { width: width * CELL, height: height * CELL, fill: inks["."] }, cells);
  for (const [sign, parts] of Object.entries(paths)) {
    const attributes = { d: parts.join(""), class: sign === "." ? "empty" : "ink" };
    if (sign !== ".") attributes.fill = isMono ? "var(--filled)" : inks[sign];
    else if (!isMono) attributes.style = `stroke: ${isDark(inks["."]) ? "#ccc" : "#666"}`;
    draw("path", attributes, cells);
  }
}

function box(row, column, name) {
  if (!isMono && name !== "halo") box(row, column, "halo"); // or red would be lost on red
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
    if (!isMono) draw("rect", { x, y, ...size, class: "track" }, marks); // the colours hide the other
  }
  for (const [row, column] of [...step.settled, ...(step.ruled_out ?? [])]) box(row, column, "new");
  if (step.chain && Object.keys(inks).length === 2) drawGhosts(step.chain);
  if (step.assumed) box(step.assumed[0], step.assumed[1], "assumed");
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

// Where cells are drawn small, only every fifth line is numbered, in larger figures.
function fit() {
  board.classList.toggle("tiny", (board.getBoundingClientRect().width / full) * CELL < 13);
}

function nameInks() {
  if (isMono) return;
  for (const [sign, name] of Object.entries(names)) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = inks[sign];
    byId("inks").append(swatch, name);
  }
  byId("inks").hidden = false;
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
byId("slide").addEventListener("input", (event) => show(Number(event.target.value)));

addEventListener("hashchange", () => show(addressed()));
addEventListener("resize", fit);

drawFrame();
nameInks();
fit();
show(addressed());
