// Paint a scene on a canvas. Cells are an image of one pixel a cell, scaled up; each kind of marks
// is one fill; clues come from a separate canvas (`clues.js`). A frame of 100x80 takes well under
// 4 ms.

import { COLOUR_LETTERS, inkOn, rgbOf } from "../state/colours.js";
import { paintBest, paintPrices } from "./prices.js";
import { sceneColours } from "./theme.js";
import { canvasOf } from "./tiles.js";

/** The order in which kinds of marks are painted over each other. */
const KINDS = [
  ...["given", "disputed", "protected", "tried", "settled", "assumed", "hint", "mends"],
  ...["change", "wrong"],
];

/** The image of the cells: one pixel a cell. */
export function createCellImage() {
  let canvas = canvasOf(1, 1);
  let image = null;
  return (scene, colours) => {
    const { height, width, cells } = scene;
    if (canvas.width !== width || canvas.height !== height || !image) {
      canvas = canvasOf(width, height);
      image = new ImageData(width, height);
    }
    const pixels = new Uint32Array(image.data.buffer);
    const lookup = new Uint32Array(256).fill(pixelOf(colours.unknown));
    [colours.paper, ...colours.ink].forEach((colour, at) => (lookup[at] = pixelOf(colour)));
    for (let at = 0; at < pixels.length; at += 1) pixels[at] = lookup[cells[at]];
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  };
}

/** A colour as the number of a pixel (red lowest, in memory order). */
function pixelOf(hex, alpha = 255) {
  const [r, g, b] = rgbOf(hex);
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** Paint everything on the board except its gutters; returns the image of a pixel a cell. */
export function paintBoard(context, scene, layout, theme, tools) {
  const { pane } = layout;
  const colours = sceneColours(scene, theme);
  context.save();
  context.beginPath();
  context.rect(pane.left, pane.top, pane.width, pane.height);
  context.clip();
  const image = tools.cellImage(scene, colours);
  context.imageSmoothingEnabled = false;
  const [wide, high] = [layout.width * layout.cell, layout.height * layout.cell];
  context.drawImage(image, layout.left, layout.top, wide, high);
  if (scene.heat) paintHeat(context, scene, layout, tools);
  if (scene.prices) paintPrices(context, scene, layout, theme);
  if (scene.crosses) fillTiles(context, layout, tools.tiles("cross"), scene.crosses);
  if (scene.letters && layout.cell >= 12 * layout.ratio)
    paintLetters(context, scene, layout, tools, colours);
  const groups = groupsOf(scene, layout, colours);
  paintLines(context, scene, layout, theme);
  paintMarks(context, layout, theme, tools, groups, (kind) => kind === "disputed");
  paintGrid(context, layout, theme);
  paintMarks(context, layout, theme, tools, groups, (kind) => kind !== "disputed");
  if (scene.prices) paintBest(context, scene, layout, theme);
  context.restore();
  return image;
}

/** Runs of marked cells of each visible row, from a byte a cell, as one path. */
function runsPath(layout, flags) {
  const path = new Path2D();
  const { first, last, cell, width } = layout;
  for (let row = first.row; row <= last.row; row += 1) {
    const base = row * width;
    for (let column = first.column; column <= last.column; column += 1) {
      if (!flags[base + column]) continue;
      const from = column;
      while (column < last.column && flags[base + column + 1]) column += 1;
      path.rect(
        layout.left + from * cell,
        layout.top + row * cell,
        (column - from + 1) * cell,
        cell,
      );
    }
  }
  return path;
}

/** Paint a tile over every flagged cell. */
function fillTiles(context, layout, tile, flags) {
  const pattern = context.createPattern(tile, "repeat");
  pattern.setTransform(new DOMMatrix([1, 0, 0, 1, layout.left, layout.top]));
  context.fillStyle = pattern;
  context.fill(runsPath(layout, flags));
}

function paintLetters(context, scene, layout, tools, colours) {
  scene.palette.forEach((_, at) => {
    const flags = scene.cells.map((value) => (value === at + 1 ? 1 : 0));
    const letter = `${COLOUR_LETTERS[at]}/${inkOn(colours.ink[at])}`;
    fillTiles(context, layout, tools.tiles("letter", letter), flags);
  });
}

/** Marks by kind and colour: a byte a cell each, in the order in which they are painted. */
function groupsOf(scene, layout, colours) {
  const groups = new Map(); // "kind colour" -> a byte a cell
  for (const mark of scene.marks) {
    if (mark.edge) continue;
    const colour = colourOf(mark, colours);
    const key = `${mark.kind} ${colour}`;
    if (!groups.has(key)) groups.set(key, new Uint8Array(layout.width * layout.height));
    groups.get(key)[mark.row * layout.width + mark.column] = 1;
  }
  const order = ([key]) => KINDS.indexOf(key.split(" ")[0]);
  return [...groups].sort((a, b) => order(a) - order(b));
}

/** Variant of marks of a kind: a change and a hint in the new colour, an assumption as filled or
 * empty.
 */
function colourOf({ kind, colour, isThin }, { paper, ink }) {
  if (kind === "tried") return String(colour);
  if (isThin) return "thin";
  if (kind === "hint") return colour ? (ink[colour - 1] ?? "") : colour === 0 ? "0" : "";
  return kind === "change" ? ([paper, ...ink][colour] ?? "") : "";
}

function paintMarks(context, layout, theme, tools, groups, isIncluded) {
  for (const [key, flags] of groups) {
    const [kind, colour] = key.split(" ");
    if (!isIncluded(kind)) continue;
    fillTiles(context, layout, tools.tiles(kind, colour), flags);
    if (kind === "disputed") paintOutline(context, layout, theme.accent, flags);
  }
}

/** The outline of a region of flagged cells. */
function paintOutline(context, layout, colour, flags) {
  const { width, height, cell, left, top, first, last } = layout;
  const at = (row, column) =>
    row >= 0 && row < height && column >= 0 && column < width && flags[row * width + column];
  const path = new Path2D();
  const line = (r1, c1, r2, c2) => {
    path.moveTo(left + c1 * cell, top + r1 * cell);
    path.lineTo(left + c2 * cell, top + r2 * cell);
  };
  for (let row = first.row; row <= last.row; row += 1) {
    for (let column = first.column; column <= last.column; column += 1) {
      if (!flags[row * width + column]) continue;
      if (!at(row - 1, column)) line(row, column, row, column + 1);
      if (!at(row + 1, column)) line(row + 1, column, row + 1, column + 1);
      if (!at(row, column - 1)) line(row, column, row + 1, column);
      if (!at(row, column + 1)) line(row, column + 1, row + 1, column + 1);
    }
  }
  context.strokeStyle = colour;
  context.lineWidth = Math.max(1, Math.min(2 * layout.ratio, cell * 0.12));
  context.lineCap = "square";
  context.stroke(path);
}

const LEVELS = 32; // number of distinct steps of beliefs

/** Paint beliefs as colours, and as squares whose size is the certainty; one fill for each step. */
function paintHeat(context, scene, layout, tools) {
  const groups = Array.from({ length: LEVELS + 1 }, () => null);
  scene.heat.forEach((value, at) => {
    if (Number.isNaN(value)) return;
    const level = Math.round(Math.max(0, Math.min(1, value)) * LEVELS);
    groups[level] ??= new Uint8Array(scene.heat.length);
    groups[level][at] = 1;
  });
  groups.forEach(
    (flags, level) =>
      flags && fillTiles(context, layout, tools.tiles("heat", String(level / LEVELS)), flags),
  );
}

function paintLines(context, scene, layout, theme) {
  const { cell, left, top, width, height } = layout;
  for (const line of scene.lines) {
    if (["clash", "more"].includes(line.kind)) continue; // marks that only highlight the clue
    context.fillStyle = line.kind === "wrong" ? theme.wrong : theme.lit;
    if (line.row !== undefined) context.fillRect(left, top + line.row * cell, width * cell, cell);
    else context.fillRect(left + line.column * cell, top, cell, height * cell);
  }
}

/** Paint lines between cells; every fifth is stronger, as is the frame. */
function paintGrid(context, layout, theme) {
  const { cell, left, top, width, height, first, last, ratio } = layout;
  const [wide, high] = [width * cell, height * cell];
  const draw = (isStrong) => {
    context.fillStyle = isStrong ? theme.gridStrong : theme.grid;
    const line = isStrong
      ? Math.max(1, Math.round(ratio * (cell > 12 * ratio ? 1.4 : 0.9)))
      : Math.max(1, Math.round(ratio * 0.6));
    const shift = line >> 1;
    const isDrawn = (at, size) => (at % 5 === 0 || at === size) === isStrong;
    for (let column = first.column; column <= last.column + 1; column += 1) {
      if (isDrawn(column, width))
        context.fillRect(left + column * cell - (column ? shift : 0), top, line, high + 1);
    }
    for (let row = first.row; row <= last.row + 1; row += 1) {
      if (isDrawn(row, height))
        context.fillRect(left, top + row * cell - (row ? shift : 0), wide + 1, line);
    }
  };
  if (cell >= 5 * ratio) draw(false);
  draw(true);
}

/** Paint selection, cursor and the line at the pointer over everything else. */
export function paintPointers(context, scene, layout, theme, pointer) {
  const { pane, cell, left, top, ratio } = layout;
  context.save();
  context.beginPath();
  context.rect(pane.left - 2, pane.top - 2, pane.width + 4, pane.height + 4);
  context.clip();
  const box = (row, column, height, width, colour, dash) => {
    const line = Math.max(2, Math.round(1.8 * ratio));
    const place = [left + column * cell + 0.5, top + row * cell + 0.5, width * cell, height * cell];
    context.setLineDash([]);
    context.lineWidth = line + 2 * ratio;
    context.strokeStyle = theme.paper;
    context.strokeRect(...place);
    context.setLineDash(dash);
    context.lineWidth = line;
    context.strokeStyle = colour;
    context.strokeRect(...place);
  };
  const { selection, cursor } = scene;
  if (selection)
    box(selection.top, selection.left, selection.height, selection.width, theme.accent, [
      5 * ratio,
      4 * ratio,
    ]);
  if (cursor && pointer.focused) box(cursor.row, cursor.column, 1, 1, theme.accent, []);
  context.restore();
}
