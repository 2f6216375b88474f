// The board of a Slitherlink: clues, edges on the path and off it, evidence.
const { height, width, rows } = data;
const CELL = 24;
const MARGIN = 6;
const NUMBERS = 8 + 7 * String(Math.max(height, width)).length; // beside the board, for the numbers
const full = width * CELL + 2 * MARGIN + NUMBERS;
board.setAttribute("viewBox", `${-MARGIN} ${-MARGIN} ${full} ${height * CELL + 2 * MARGIN + NUMBERS}`);

const seen = draw("g", {});
const frame = draw("g", {});
const edges = draw("g", {});
const marks = draw("g", {});

const line = ([row, column, down, right]) => `M${column * CELL} ${row * CELL}L${right * CELL} ${down * CELL}`;
const cross = ([row, column, down, right]) => `M${((column + right) / 2) * CELL - 3} ${((row + down) / 2) * CELL - 3}l6 6m0 -6l-6 6`;
const key = (mark) => mark.slice(0, 4).join();

function write(text, x, y, more) {
  draw("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", ...more }, frame).textContent = text;
}

function number(index, x, y) {
  write(index + 1, x, y, { class: index === 0 || index % 5 === 4 ? "index fifth" : "index" });
}

function drawFrame() {
  const dots = [];
  for (let row = 0; row <= height; row++) for (let column = 0; column <= width; column++) dots.push(`M${column * CELL} ${row * CELL}h0`);
  draw("path", { d: dots.join(""), class: "dots" }, frame);
  rows.forEach((clues, row) => {
    [...clues].forEach((clue, column) => {
      if (clue !== ".") write(clue, (column + 0.5) * CELL, (row + 0.5) * CELL, { class: "clue" });
    });
    number(row, width * CELL + MARGIN + NUMBERS / 2, (row + 0.5) * CELL);
  });
  for (let column = 0; column < width; column++) number(column, (column + 0.5) * CELL, height * CELL + MARGIN + NUMBERS / 2);
}

// Marks as two paths: lines on the path, crosses off it.
function drawMarks(found, name, parent) {
  const on = found.filter((mark) => mark[4] !== "x").map(line);
  const off = found.filter((mark) => mark[4] === "x").map(cross);
  if (on.length) draw("path", { d: on.join(""), class: name }, parent);
  if (off.length) draw("path", { d: off.join(""), class: `${name} off` }, parent);
}

function drawStep(at) {
  const step = steps[at - 1];
  const fresh = new Set((step?.settled ?? []).map(key));
  const known = steps.slice(0, at).flatMap((one) => one.settled).filter((mark) => !fresh.has(key(mark)));
  for (const group of [seen, edges, marks]) group.replaceChildren();
  drawMarks(known, "path", edges);
  if (!step) return;
  for (const [row, column] of step.cells ?? []) draw("rect", { x: column * CELL, y: row * CELL, width: CELL, height: CELL, class: "tint" }, seen);
  const lit = (step.edges ?? []).map(line).concat((step.corners ?? []).map(([row, column]) => `M${column * CELL} ${row * CELL}h0`));
  if (lit.length) draw("path", { d: lit.join(""), class: "lit" }, seen);
  drawMarks(step.settled, "new", marks);
  const tried = (step.assumed ? [step.assumed] : []).concat(step.chain ?? []);
  drawMarks(tried, "tried", marks);
}

begin();
