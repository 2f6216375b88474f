"use strict";
// The table of instances, the choice of a scatter's configurations, the window of a puzzle. All
// nodes are built with textContent and attributes, because names in the data are untrusted.
const data = JSON.parse(document.getElementById("data").textContent);
const { names, statuses, verdicts, rows, frame, heat, order } = data;
const nameOf = (row) => row[0].slice(row[0].startsWith(data.folder) ? data.folder.length : 0);
const OK = statuses.indexOf("ok");
const SVG = "http://www.w3.org/2000/svg";
const INKS = ["#fff", "#1b1d22", "#d8413a", "#2b66c4", "#2b9a55", "#e0a800", "#8b46a8", "#e87722", "#21a5b5", "#8a6a4a", "#e58bb5"];
const STEP = 100;
const byId = (id) => document.getElementById(id);

function make(tag, text, attributes = {}) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

// A row is [name, height, width, expected, medians, pictures, runs]; medians has the index of a
// configuration's median run in runs, or -1; a run is [configuration, repetition, status, verdict,
// cpu, wall, encode, solve, MiB, conflicts, reason].
const median = (row, index) => (row[4][index] < 0 ? null : row[6][row[4][index]]);
const secondsOf = (run) => run[data.wall ? 5 : 4];
const isSolved = (run) => run !== null && run[2] === OK;
const timeOf = (run) => Math.max(secondsOf(run), frame.least);
const ms = new Intl.NumberFormat("en-US", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const shownTime = (seconds) => (seconds === null || seconds === undefined ? "" : ms.format(1000 * seconds));
const shown = (value) => (value === null || value === undefined ? "" : value >= 100 ? value.toFixed(0) : String(+value.toPrecision(3)));

// Sorting: every table of class sortable, by the values that cells show; words after numbers.
function sortValue(text) {
  const value = Number.parseFloat(text.replaceAll(",", ""));
  return Number.isNaN(value) ? null : value;
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "number") return -1;
  if (typeof b === "number") return 1;
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

function mark(head, isUp) {
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
}

function sortable(head, sort) {
  const button = make("button", head.textContent);
  head.replaceChildren(button);
  button.addEventListener("click", () => {
    const isUp = head.getAttribute("aria-sort") !== "ascending";
    mark(head, isUp);
    sort(isUp ? 1 : -1);
  });
}

for (const table of document.querySelectorAll("table.sortable:not(#rows)")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, index) =>
    sortable(head, (sign) => {
      const value = (row) => sortValue(row.cells[index].textContent) ?? row.cells[index].textContent;
      body.append(...[...body.rows].sort((a, b) => sign * compare(value(a), value(b))));
    }),
  );
}

// Instances
let view = rows.map((_row, index) => index);
let limit = STEP;

function cellOf(row, index, best) {
  const run = median(row, index);
  if (run === null) return make("td", "");
  if (!isSolved(run)) return make("td", statuses[run[2]], { class: statuses[run[2]] });
  return make("td", shownTime(secondsOf(run)), secondsOf(run) === best ? { class: "best" } : {});
}

function lineOf(index) {
  const row = rows[index];
  const line = make("tr");
  const first = make("td", undefined, { title: row[0] });
  const button = make("button", undefined);
  // Allow a line break after the file's name.
  nameOf(row).split(/(?<=#)/).forEach((part) => button.append(part, make("wbr")));
  button.addEventListener("click", () => openPuzzle(index));
  first.append(button);
  const solved = names.map((_name, at) => median(row, at)).filter(isSolved);
  const best = Math.min(...solved.map(secondsOf));
  line.append(first, make("td", `${row[1]}×${row[2]}`), make("td", row[3]));
  line.append(...names.map((_name, at) => cellOf(row, at, best)));
  return line;
}

function draw() {
  byId("rows").tBodies[0].replaceChildren(...view.slice(0, limit).map(lineOf));
  byId("more").hidden = view.length <= limit;
  byId("found").textContent = `${Math.min(limit, view.length)} of ${view.length} shown`;
}

function valueOf(index, column) {
  const row = rows[index];
  if (column === 0) return nameOf(row);
  if (column === 1) return row[1] * row[2];
  if (column === 2) return row[3];
  const run = median(row, column - 3);
  return run === null ? "~" : isSolved(run) ? secondsOf(run) : statuses[run[2]];
}

let sorting = () => 0;

function filter() {
  const wanted = byId("find").value.toLowerCase();
  view = rows.map((_row, index) => index).filter((index) => rows[index][0].toLowerCase().includes(wanted));
  view.sort(sorting);
  limit = STEP;
  draw();
}

const heads = make("tr");
["instance", "size", "verdict", ...names].forEach((name, column) => {
  const head = make("th", name, { scope: "col" });
  sortable(head, (sign) => {
    sorting = (a, b) => sign * compare(valueOf(a, column), valueOf(b, column));
    filter();
  });
  heads.append(head);
});
byId("rows").tHead.append(heads);
byId("find").addEventListener("input", filter);
byId("more").addEventListener("click", () => {
  limit += 5 * STEP;
  draw();
});
draw();

// A puzzle's window. A picture is text: letters preceded by the number of their repetitions, rows
// ended by "/"; "." is empty, "#" the first colour, then a, b, ... After a "=" it is text to be
// read.
function cellsOf(picture) {
  if (picture.startsWith("=")) return picture.slice(1).split("\n").map((row) => [...row]);
  return picture.split("/").map((row) =>
    [...row.matchAll(/(\d*)(\D)/g)].flatMap(([, count, letter]) => Array(Number(count || 1)).fill(letter)),
  );
}

function inkOf(letter) {
  if (letter === ".") return null;
  const number = letter === "#" ? 1 : letter.codePointAt(0) - 95;
  return INKS[number > 0 && number < INKS.length ? number : 1 + (Math.abs(number) % (INKS.length - 1))];
}

function drawn(cells, other) {
  const svg = document.createElementNS(SVG, "svg");
  const width = Math.max(...cells.map((row) => row.length));
  svg.setAttribute("viewBox", `0 0 ${width} ${cells.length}`);
  svg.setAttribute("class", "picture");
  svg.setAttribute("shape-rendering", "crispEdges");
  const paths = new Map();
  cells.forEach((row, y) =>
    row.forEach((letter, x) => {
      const isDisputed = other !== undefined && other[y]?.[x] !== letter;
      const ink = isDisputed ? (letter === "." ? "#ffa5d7" : "#e10082") : inkOf(letter);
      if (ink !== null) paths.set(ink, `${paths.get(ink) ?? ""}M${x} ${y}h1v1h-1z`);
    }),
  );
  for (const [ink, d] of paths) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("fill", ink);
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

function runsOf(row) {
  const table = make("table");
  const head = make("tr");
  for (const name of ["configuration", "run", "status", "verdict", "CPU ms", "wall ms", "encode ms", "solve ms", "MiB", "conflicts", ""]) head.append(make("th", name));
  table.append(make("thead"), make("tbody"));
  table.tHead.append(head);
  for (const run of [...row[6]].sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
    const line = make("tr", undefined, statuses[run[2]] === "wrong" ? { class: "wrong" } : {});
    line.append(make("td", names[run[0]]), make("td", run[1]), make("td", statuses[run[2]]), make("td", verdicts[run[3]]));
    line.append(...[4, 5, 6, 7].map((at) => make("td", shownTime(run[at]))));
    line.append(...[8, 9].map((at) => make("td", shown(run[at]))));
    line.append(make("td", run[10] ? data.reasons[run[10] - 1] : ""));
    table.tBodies[0].append(line);
  }
  const box = make("div", undefined, { class: "scroll" });
  box.append(table);
  return box;
}

function openPuzzle(index) {
  const row = rows[index];
  const pictures = row[5].map(cellsOf);
  const isText = row[5].some((picture) => picture.startsWith("="));
  const parts = [make("h2", row[0]), make("p", `${row[1]} rows × ${row[2]} columns${row[3] ? `, ${row[3]}` : ""}`, { class: "note" })];
  if (isText) parts.push(...pictures.map((cells) => make("pre", cells.map((line) => line.join("")).join("\n"))));
  else parts.push(...pictures.map((cells, at) => drawn(cells, pictures[1 - at])));
  if (pictures.length > 1 && !isText) parts.push(make("p", "Two solutions; the cells in which they differ are pink.", { class: "note" }));
  if (!pictures.length) parts.push(make("p", "No picture: not solved, not recorded, or left out to keep this page small.", { class: "note" }));
  byId("facts").replaceChildren(...parts, runsOf(row));
  byId("puzzle").showModal();
  byId("puzzle").scrollTop = 0;
}

byId("puzzle").addEventListener("click", (event) => {
  if (event.target === byId("puzzle")) byId("puzzle").close();
});

// Scatter: the dots of the chosen pair in the existing frame.
const across = byId("across");
const up = byId("up");
const dots = document.querySelector("#dots path");
for (const select of [across, up]) names.forEach((name, index) => select.append(make("option", name, { value: index })));
across.value = data.pair[0];
up.value = data.pair[1];

function scaled(seconds, start, end) {
  return start + ((Math.log10(seconds) - frame.low) / (frame.high - frame.low)) * (end - start);
}

function points() {
  const found = [];
  rows.forEach((row, index) => {
    const [a, b] = [median(row, +across.value), median(row, +up.value)];
    if (a === null || b === null) return;
    const [x, y] = [a, b].map((run) => (isSolved(run) ? timeOf(run) : frame.limit));
    found.push({ index, a, b, x: scaled(x, frame.x0, frame.x1), y: scaled(y, frame.y0, frame.y1) });
  });
  return found;
}

function choose() {
  const found = points();
  dots.setAttribute("d", found.map(({ x, y }) => `M${x.toFixed(1)} ${y.toFixed(1)}h0`).join(""));
  const both = found.filter(({ a, b }) => isSolved(a) && isSolved(b));
  const [left, right] = [names[across.value], names[up.value]];
  for (const [letter, name] of [["x", left], ["y", right]]) {
    const label = document.querySelector(`#name-${letter} text`);
    const [...letters] = name;
    label.textContent = `${letters.length > data.label ? `${letters.slice(0, data.label - 1).join("")}…` : name}, ${data.wall ? "wall" : "CPU"} milliseconds`;
  }
  const faster = both.filter(({ a, b }) => timeOf(a) < timeOf(b)).length;
  const slower = both.filter(({ a, b }) => timeOf(a) > timeOf(b)).length;
  const onlyLeft = found.filter(({ a, b }) => isSolved(a) && !isSolved(b)).length;
  const onlyRight = found.filter(({ a, b }) => !isSolved(a) && isSolved(b)).length;
  byId("sides").textContent = `Of ${both.length} instances that both solved, ${left} (across) is faster on ${faster} and ${right} (up) on ${slower}. Only ${left} solved ${onlyLeft}, only ${right} ${onlyRight}.`;
}

function pointer(svg, event) {
  return new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
}

document.querySelector("#scatter svg").addEventListener("click", (event) => {
  const at = pointer(event.currentTarget, event);
  const near = points().map((point) => [Math.hypot(point.x - at.x, point.y - at.y), point.index]);
  const [distance, index] = near.reduce((best, one) => (one[0] < best[0] ? one : best), [12, -1]);
  if (index >= 0 && distance < 12) openPuzzle(index);
});
across.addEventListener("change", choose);
up.addEventListener("change", choose);
choose();

document.querySelector("#heat svg").addEventListener("click", (event) => {
  const at = pointer(event.currentTarget, event);
  const place = Math.floor(((at.x - heat.x0) / (heat.x1 - heat.x0)) * order.length);
  if (at.y >= heat.y1 && at.y <= heat.y0 && place >= 0 && place < order.length) openPuzzle(order[place]);
});
