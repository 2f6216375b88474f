// The board of a nonogram: clues, cells, marks, prices.
const { height, width, rows, columns, inks, names, start, clashing } = data;
const CELL = 20;
const isMono = Object.keys(inks).length === 2 && inks["#"] === "#000000";
const LINE = "Point at a line's clue or sum to see its best filling.";

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
const MARGIN = 8 + 10 * String(Math.max(height, width)).length; // for the numbers, right and below
// Behind them stands what rows earn and columns pay, where there are steps by prices.
const amounts = steps.flatMap((step) => step.prices?.best ?? []).map((best) => minus(best.amount).length);
const wide = amounts.length ? 7 * Math.max(...amounts) + 6 : 0;
const full = left + width * CELL + MARGIN + wide;
board.setAttribute("viewBox", `${-left} ${-deep} ${full} ${deep + height * CELL + MARGIN + (wide && 14)}`);

// A number as it is printed, with a minus that is as wide as a plus.
function minus(number) {
  return String(number).replace("-", "\u2212");
}

const seen = draw("g", {});
const cells = draw("g", {});
const tints = draw("g", {});
const clash = draw("g", {});
const frame = draw("g", {});
const marks = draw("g", {});
const sums = draw("g", {});

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
  drawClash();
  nameInks();
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
function drawCells(board, priced) {
  const paths = {};
  board.forEach((line, row) => {
    [...line].forEach((sign, column) => {
      const x = column * CELL;
      const y = row * CELL;
      if (sign === "?" || (sign === "." && priced.has(row * width + column))) return;
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

// Frames around the clues that contradict each other.
function drawClash() {
  for (const line of clashing) {
    const isRow = "row" in line;
    const size = isRow ? { width: left - 3, height: CELL - 3 } : { width: CELL - 3, height: deep - 3 };
    const place = isRow ? { x: 1.5 - left, y: line.row * CELL + 1.5 } : { x: line.column * CELL + 1.5, y: 1.5 - deep };
    draw("rect", { ...place, ...size, class: "clash" }, clash);
  }
  byId("clashing").hidden = !clashing.length;
}

function box(row, column, name) {
  if (!isMono && !name.startsWith("halo")) box(row, column, name.replace(/^\w+/, "halo")); // or red would be lost on red
  const inset = name.endsWith("assumed") ? 6 : 1;
  draw("rect", { x: column * CELL + inset, y: row * CELL + inset, width: CELL - 2 * inset, height: CELL - 2 * inset, class: name }, marks);
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
  for (const line of step.prices ? [] : step.lines) {
    const isRow = "row" in line;
    const x = isRow ? -left : line.column * CELL;
    const y = isRow ? line.row * CELL : -deep;
    const size = isRow ? { width: left + width * CELL, height: CELL } : { width: CELL, height: deep + height * CELL };
    draw("rect", { x, y, ...size, class: "seen" }, seen);
    if (!isMono) draw("rect", { x, y, ...size, class: "track" }, marks); // the colours hide the other
  }
  const name = step.prices ? "new thin" : "new"; // there may be hundreds
  for (const [row, column] of [...step.settled, ...(step.ruled_out ?? [])]) box(row, column, name);
  if (step.chain && Object.keys(inks).length === 2) drawGhosts(step.chain);
  if (step.assumed) box(step.assumed[0], step.assumed[1], "assumed");
}

// Steps by prices

// The prices of a step by cell: [sign, price] pairs.
function pricesOf(step) {
  const priced = new Map();
  for (const [row, column, sign, price] of step?.prices?.table ?? []) {
    const place = row * width + column;
    if (!priced.has(place)) priced.set(place, []);
    priced.get(place).push([sign, price]);
  }
  return priced;
}

// A cell has its price on a tint, or, where it is filled by now, on its ink; one of several colours
// has a part for each colour that has a price, with a stripe of its ink.
function drawPrices(board, step, priced) {
  tints.replaceChildren();
  sums.replaceChildren();
  byId("priced").hidden = byId("line").hidden = !step?.prices;
  if (!step?.prices) return;
  const most = Math.max(...step.prices.table.map((entry) => Math.abs(entry[3])));
  for (const [place, entries] of priced) {
    const [row, column] = [Math.floor(place / width), place % width];
    const sign = board[row][column];
    const isFilled = !".?".includes(sign);
    const part = CELL / entries.length;
    entries.forEach(([ink, price], at) => {
      const [x, y] = [column * CELL, row * CELL + at * part];
      if (!isFilled) {
        const opacity = 0.2 + (0.6 * Math.abs(price)) / most;
        draw("rect", { x, y, width: CELL, height: part, class: price > 0 ? "earn" : "pay", opacity }, tints);
        if (!isMono) draw("rect", { x, y, width: 3, height: part, fill: inks[ink] }, tints);
      }
      writePrice(minus(price), x + CELL / 2 + (isMono || isFilled ? 0 : 1.5), y + part / 2, part, isFilled && sign);
    });
    if (sign === ".") draw("path", { d: `M${column * CELL + 15.5} ${row * CELL + 2}l2.6 2.6m0 -2.6l-2.6 2.6`, class: "corner" }, tints);
  }
  step.prices.best.forEach(drawSum);
  drawTotals(step.prices);
}

// Below the sums of rows what they come to, and behind those of columns.
function drawTotals({ earned, paid }) {
  const size = (text) => ({ class: "total", "dominant-baseline": "central", "font-size": text.length > 4 ? 8 : 11 });
  const [rows, columns] = [minus(earned), minus(paid)];
  const [right, below] = [width * CELL + MARGIN + wide - 3, height * CELL + MARGIN];
  draw("text", { x: right, y: below - 11, "text-anchor": "end", ...size(rows) }, sums).textContent = rows;
  draw("text", { x: width * CELL + 4, y: below + 5, ...size(columns) }, sums).textContent = columns;
}

// The figures of a price fit into their part of the cell; `ink` is what they stand on, if anything.
function writePrice(text, x, y, part, ink) {
  const size = Math.min(part - 1, text.length > 4 ? 6 : text.length > 3 ? 7.5 : text.length > 2 ? 9 : 10.5);
  const more = { class: ink && isMono ? "price filled" : "price" };
  if (ink && !isMono) more.style = `fill: ${isDark(inks[ink]) ? "#fff" : "#000"}`;
  draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": size, ...more }, tints).textContent = text;
}

// What a line earns or pays, behind its number; it and the clue choose the line.
function drawSum(best) {
  const isRow = "row" in best;
  const number = (isRow ? best.row : best.column) + 1;
  const told = isRow ? `row ${number} can earn ${best.amount} at most` : `column ${number} has to pay ${best.amount} at least`;
  const group = draw("g", { class: "sum", tabindex: 0, role: "button", "aria-label": told }, sums);
  const near = { x: -left, y: -deep };
  const far = { x: width * CELL, y: height * CELL };
  for (const at of [near, far]) {
    const size = at === near ? { width: left, height: deep } : { width: MARGIN + wide, height: MARGIN + 14 };
    const place = isRow ? { ...at, y: best.row * CELL, width: size.width, height: CELL } : { ...at, x: best.column * CELL, height: size.height, width: CELL };
    draw("rect", { ...place, class: "hit" }, group);
  }
  const text = minus(best.amount);
  const place = isRow
    ? { x: width * CELL + MARGIN + wide - 3, y: (best.row + 0.5) * CELL, "text-anchor": "end", "font-size": 11 }
    : { x: (best.column + 0.5) * CELL, y: height * CELL + MARGIN + 5, "text-anchor": "middle", "font-size": text.length > 3 ? 7.5 : 10.5 };
  draw("text", { ...place, "dominant-baseline": "central" }, group).textContent = text;
  for (const name of ["pointerenter", "focus", "click"]) group.addEventListener(name, () => choose(group, best, told));
}

// Shows the best filling of a line, with what it earns or pays for it.
function choose(group, best, told) {
  sums.querySelectorAll(".best").forEach((node) => node.remove());
  sums.querySelectorAll(".chosen").forEach((node) => node.classList.remove("chosen"));
  group.classList.add("chosen");
  const isRow = "row" in best;
  const priced = pricesOf(steps[at - 1]);
  const parts = [];
  [...best.filling].forEach((sign, index) => {
    const [row, column] = isRow ? [best.row, index] : [index, best.column];
    const price = priced.get(row * width + column)?.find((entry) => entry[0] === sign)?.[1];
    if (price) parts.push(`${minus(price)} in ${isRow ? "column" : "row"} ${index + 1}`);
    if (sign === ".") return;
    const edge = { x: column * CELL + 2.5, y: row * CELL + 2.5, width: CELL - 5, height: CELL - 5, rx: 3 };
    draw("rect", { ...edge, class: "best under" }, sums);
    draw("rect", { ...edge, class: "best", ...(isMono ? {} : { style: `stroke: ${inks[sign]}` }) }, sums);
  });
  const how = parts.length ? parts.join(", ") : "no cell of its best filling has a price";
  byId("line").textContent = `${minus(told[0].toUpperCase() + told.slice(1))}: ${how}.`;
}

function nameInks() {
  if (isMono) return;
  for (const [sign, name] of Object.entries(names)) {
    const swatch = document.createElement("span");
    swatch.className = "swatch";
    swatch.style.background = inks[sign];
    byId("inks").append(swatch, name);
  }
  byId("inks").hidden = byId("tinted").hidden = false;
}

function drawStep(at) {
  const step = steps[at - 1];
  const priced = pricesOf(step);
  drawCells(boards[at], priced);
  drawMarks(step);
  drawPrices(boards[at], step, priced);
  byId("line").textContent = step?.prices ? LINE : "";
}

begin();
