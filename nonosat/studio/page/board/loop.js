// Draw a Slitherlink: dots, edges on the path, crosses on edges off it, clues, marks. Size, zoom,
// pointers and keys are in `board/index.js`; numbers of edges are those of `board/lattice.js`.

import {
  cornersOf,
  countAround,
  edgeAt as numberOf,
  edgeBeside as numberBeside,
  edgesOf,
  insideOf,
  isOneLoop,
  nearestEdge,
} from "./lattice.js";

/**
 * Draw a scene of a Slitherlink.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {object} scene See the README; marks have `edge`, `corner` or `row` and `column`.
 * @param {{left: number, top: number, cell: number, height: number, width: number, ratio: number}}
 *   layout
 *   In device pixels.
 * @param {object} theme Colours by name, and `font`.
 * @param {{edge: number[]|null, focused: boolean}|null} pointer
 */
export function paintLoop(context, scene, layout, theme, pointer) {
  const { height, width } = scene;
  const { pane } = layout;
  const edges = edgesOf(scene.edges ?? [], height, width);
  context.save();
  context.beginPath();
  context.rect(pane.left, pane.top, pane.width, pane.height);
  context.clip();
  context.lineCap = "round";
  context.lineJoin = "round";
  paintPaper(context, scene, layout, theme);
  paintInside(context, scene, layout, theme, edges);
  if (scene.heat) paintHeat(context, scene, layout, theme);
  for (const mark of scene.marks ?? [])
    if (mark.row !== undefined) paintCellMark(context, mark, layout, theme);
  paintGuides(context, scene, layout, theme);
  for (const mark of scene.marks ?? [])
    if (mark.kind !== "tried" && (mark.edge || mark.corner)) paintHalo(context, mark, layout, theme);
  paintDots(context, layout, theme);
  paintEdges(context, edges, scene, layout, theme);
  paintTried(context, scene.marks ?? [], layout, theme);
  paintClues(context, scene, layout, theme, edges, changed(scene));
  if (pointer?.edge) paintPointer(context, pointer, layout, theme);
  context.restore();
}

const place = (layout, row, column) => [
  layout.left + column * layout.cell,
  layout.top + row * layout.cell,
];

function line(context, layout, [row, column, otherRow, otherColumn], inset = 0) {
  const [x, y] = place(layout, row, column);
  const [u, v] = place(layout, otherRow, otherColumn);
  const cut = inset * layout.cell;
  const [dx, dy] = row === otherRow ? [cut, 0] : [0, cut];
  context.moveTo(x + dx, y + dy);
  context.lineTo(u - dx, v - dy);
}

function paintPaper(context, { height, width }, layout, theme) {
  const [x, y] = place(layout, -0.45, -0.45);
  context.fillStyle = theme.paper;
  context.beginPath();
  context.roundRect(
    x,
    y,
    (width + 0.9) * layout.cell,
    (height + 0.9) * layout.cell,
    0.2 * layout.cell,
  );
  context.fill();
}

function paintInside(context, { height, width }, layout, theme, edges) {
  if (!isOneLoop(edges, height, width)) return;
  context.fillStyle = theme.lit;
  insideOf(edges, height, width).forEach((isInside, at) => {
    if (isInside) fillCell(context, layout, Math.floor(at / width), at % width);
  });
}

function fillCell(context, layout, row, column) {
  const [x, y] = place(layout, row, column);
  context.fillRect(x, y, layout.cell, layout.cell);
}

function paintHeat(context, { heat, width }, layout, theme) {
  context.fillStyle = theme.hint;
  heat.forEach((value, at) => {
    context.globalAlpha = 0.5 * value;
    fillCell(context, layout, Math.floor(at / width), at % width);
  });
  context.globalAlpha = 1;
}

/** Draw marks of cells: a tint, and a pattern, so that no mark depends on colour alone. */
function paintCellMark(context, { row, column, kind, clue }, layout, theme) {
  const [x, y] = place(layout, row, column);
  const { cell } = layout;
  context.fillStyle = kind === "wrong" ? theme.wrong : theme.lit;
  context.fillRect(x, y, cell, cell);
  if (kind === "lit") return;
  context.strokeStyle = colourOf(kind, theme);
  context.lineWidth = Math.max(1, cell / 16);
  context.beginPath();
  if (kind === "disputed") {
    for (let at = 0.25; at < 2; at += 0.5) {
      context.moveTo(x + cell * Math.max(0, at - 1), y + cell * Math.min(1, at));
      context.lineTo(x + cell * Math.min(1, at), y + cell * Math.max(0, at - 1));
    }
  } else context.rect(x + cell * 0.12, y + cell * 0.12, cell * 0.76, cell * 0.76);
  context.stroke();
  if (clue !== undefined) paintNewClue(context, clue, x + cell / 2, y + cell / 2, cell, theme);
}

/** Draw the clue that a repair gives to a cell in place of the old one. */
function paintNewClue(context, clue, x, y, cell, theme) {
  context.font = `700 ${Math.round(0.5 * cell)}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.hint;
  context.fillText(clue === "." ? "–" : clue, x, y + 0.03 * cell);
}

function colourOf(kind, theme) {
  return (
    { wrong: theme.bad, hint: theme.hint, disputed: theme.bad, change: theme.hint }[kind] ??
    theme.accent
  );
}

/** The faint lattice between the dots. */
function paintGuides(context, { height, width }, layout, theme) {
  context.strokeStyle = theme.grid;
  context.lineWidth = Math.max(1, layout.ratio);
  context.setLineDash([layout.ratio, 3 * layout.ratio]);
  context.beginPath();
  for (let row = 0; row <= height; row++) line(context, layout, [row, 0, row, width]);
  for (let column = 0; column <= width; column++)
    line(context, layout, [0, column, height, column]);
  context.stroke();
  context.setLineDash([]);
}

/** Draw broad bands under marked edges and corners; wrong or assumed ones are dashed. */
function paintHalo(context, { edge, corner, kind }, layout, theme) {
  context.strokeStyle = colourOf(kind, theme);
  context.globalAlpha = kind === "lit" ? 0.25 : 0.5;
  const isHatched = kind === "wrong" || kind === "disputed";
  context.lineWidth = (isHatched ? 0.3 : 0.42) * layout.cell;
  context.lineCap = isHatched ? "butt" : "round";
  if (isHatched) context.setLineDash([0.08 * layout.cell, 0.06 * layout.cell]);
  context.beginPath();
  if (edge) line(context, layout, edge, isHatched ? 0.15 : 0.1);
  else {
    const [x, y] = place(layout, ...corner);
    context.moveTo(x, y);
    context.lineTo(x, y);
  }
  context.stroke();
  context.setLineDash([]);
  context.lineCap = "round";
  context.globalAlpha = 1;
}

/** Draw known edges: those on the loop as lines, those off it as crosses. */
function pathsOf(edges, layout, arm, inset = 0) {
  const [paths, crosses] = [new Path2D(), new Path2D()];
  for (const [corners, isOn] of edges) {
    const [x, y] = place(layout, (corners[0] + corners[2]) / 2, (corners[1] + corners[3]) / 2);
    if (isOn) line(paths, layout, corners, inset);
    else
      for (const sign of [1, -1]) {
        crosses.moveTo(x - arm, y - sign * arm);
        crosses.lineTo(x + arm, y + sign * arm);
      }
  }
  return { paths, crosses };
}

/** Draw an assumption and its consequences: dashed lines, and crosses, in their own colour. */
function paintTried(context, marks, layout, theme) {
  const tried = marks.filter(({ kind }) => kind === "tried");
  const edges = tried.map(({ edge, isOff }) => [edge, !isOff]);
  const { paths, crosses } = pathsOf(edges, layout, 0.12 * layout.cell, 0.12);
  context.strokeStyle = theme.hint;
  context.lineWidth = Math.max(layout.ratio, 0.07 * layout.cell);
  context.stroke(crosses);
  context.lineWidth = Math.max(2 * layout.ratio, 0.11 * layout.cell);
  context.lineCap = "butt";
  context.setLineDash([0.16 * layout.cell, 0.12 * layout.cell]);
  context.stroke(paths);
  context.setLineDash([]);
  context.lineCap = "round";
}

function paintEdges(context, edges, { height, width }, layout, theme) {
  const known = [];
  edges.forEach((value, edge) => {
    if (value !== 255) known.push([cornersOf(height, width, edge), value === 1]);
  });
  const { paths, crosses } = pathsOf(known, layout, 0.09 * layout.cell);
  context.strokeStyle = theme.soft;
  context.lineWidth = Math.max(layout.ratio, 0.045 * layout.cell);
  context.stroke(crosses);
  context.strokeStyle = theme.ink;
  context.lineWidth = Math.max(2 * layout.ratio, 0.11 * layout.cell);
  context.stroke(paths);
}

function paintDots(context, layout, theme) {
  context.strokeStyle = theme.gridStrong;
  context.lineWidth = Math.max(2 * layout.ratio, 0.12 * layout.cell);
  context.beginPath();
  for (let row = 0; row <= layout.height; row++) {
    for (let column = 0; column <= layout.width; column++) {
      const [x, y] = place(layout, row, column);
      context.moveTo(x, y);
      context.lineTo(x, y);
    }
  }
  context.stroke();
}

/** The cells in which a repair replaces the clue. */
function changed({ marks = [] }) {
  const places = marks.filter(({ clue }) => clue !== undefined);
  return new Set(places.map(({ row, column }) => `${row} ${column}`));
}

/** Draw clues: bold while open, pale once satisfied, struck out if they cannot be satisfied any
 * more.
 */
function paintClues(context, { clues, height, width }, layout, theme, edges, hidden) {
  const { cell } = layout;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const isClosed = isOneLoop(edges, height, width);
  clues.forEach((text, row) =>
    [...text].forEach((clue, column) => {
      if (!/[0-4]/.test(clue) || hidden.has(`${row} ${column}`)) return;
      const { on, open } = countAround(edges, height, width, row, column);
      const state = clueState(clue, { on, open: isClosed ? 0 : open });
      const [x, y] = place(layout, row + 0.5, column + 0.5);
      context.font = `${state === "open" ? 600 : 400} ${Math.round(0.5 * cell)}px ${theme.font}`;
      context.fillStyle = { open: theme.ink, done: theme.soft, broken: theme.bad }[state];
      context.globalAlpha = state === "done" ? 0.6 : 1;
      context.fillText(clue, x, y + 0.03 * cell);
      context.globalAlpha = 1;
      if (state === "broken") {
        context.strokeStyle = theme.bad;
        context.lineWidth = Math.max(layout.ratio, 0.05 * cell);
        context.beginPath();
        context.moveTo(x - 0.24 * cell, y + 0.24 * cell);
        context.lineTo(x + 0.24 * cell, y - 0.24 * cell);
        context.stroke();
      }
    }),
  );
}

/** State of a clue by the edges around it: "open", "done" or "broken". */
export function clueState(clue, { on, open }) {
  const number = Number(clue);
  if (on > number || on + open < number) return "broken";
  return on === number && open === 0 ? "done" : "open";
}

function paintPointer(context, { edge, focused }, layout, theme) {
  context.strokeStyle = theme.accent;
  context.lineWidth = 2 * layout.ratio;
  const [x, y] = place(layout, edge[0], edge[1]);
  const [u, v] = place(layout, edge[2], edge[3]);
  const room = 0.16 * layout.cell;
  context.globalAlpha = focused ? 1 : 0.45;
  context.beginPath();
  context.roundRect(x - room, y - room, u - x + 2 * room, v - y + 2 * room, room);
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * The edge nearest to a place of the canvas.
 *
 * @returns {number[]|null} Its corners; null outside the board.
 */
export function edgeAt(x, y, { left, top, cell, height, width }) {
  const edge = nearestEdge(height, width, (x - left) / cell, (y - top) / cell);
  return edge === null ? null : cornersOf(height, width, edge);
}

/**
 * The edge that an arrow key moves to; the same one at the end of the board; the first one without
 * a cursor.
 */
export function edgeBeside({ height, width }, edge, key) {
  if (!edge) return cornersOf(height, width, 0);
  return cornersOf(height, width, numberBeside(height, width, numberOf(height, width, edge), key));
}

/**
 * A sentence about the edge at the cursor, for screen readers.
 *
 * @param {object} scene
 * @param {{edge: number[]|null}|null} cursor
 */
export function describeLoop({ height, width, clues, edges, marks = [] }, cursor) {
  if (!cursor?.edge) return `Slitherlink, ${height} rows and ${width} columns`;
  const [row, column, otherRow] = cursor.edge;
  const values = edgesOf(edges ?? [], height, width);
  const state = { 0: "crossed", 1: "on the path", 255: "open" }[
    values[numberOf(height, width, cursor.edge)]
  ];
  const isFlat = row === otherRow;
  const beside = isFlat
    ? [
        [row - 1, column, "above"],
        [row, column, "below"],
      ]
    : [
        [row, column - 1, "left"],
        [row, column, "right"],
      ];
  const numbers = beside.flatMap(([r, c, side]) => {
    const clue = clues[r]?.[c];
    return clue && /[0-4]/.test(clue) ? [`${clue} ${side}`] : [];
  });
  const where = isFlat
    ? (row < height ? `top of row ${row + 1}` : `bottom of row ${height}`) +
      `, column ${column + 1}`
    : `row ${row + 1}, ` +
      (column < width ? `left of column ${column + 1}` : `right of column ${width}`);
  const marked = wordsOfMarks(marks, cursor.edge);
  return `${where}: ${[state, ...marked].join(", ")}${numbers.length ? `, clue ${numbers.join(", ")}` : ""}`;
}

/** The marks of an edge, in words. */
function wordsOfMarks(marks, place) {
  const own = marks.filter(({ edge }) => edge && String(edge) === String(place));
  return own.flatMap(({ kind, isOff }) => {
    if (kind === "tried") return [isOff ? "would be off the path" : "would be on the path"];
    return kind === "settled" ? ["just settled"] : [];
  });
}
