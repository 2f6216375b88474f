// Clues on a separate canvas as large as the board's: while a picture is drawn, only the lines
// that changed are drawn again.

import { sameClue } from "../state/clues.js";
import { COLOUR_LETTERS, inkOn } from "../state/colours.js";
import { DIGIT, widthOfClue } from "./layout.js";
import { sceneColours } from "./theme.js";
import { canvasOf } from "./tiles.js";

/** Gutters that store what they show. */
export function createGutters() {
  let canvas = canvasOf(1, 1);
  let [shown, sprites] = [null, new Map()];
  return {
    /** The canvas with the clues of a scene. */
    paint(scene, layout, theme) {
      const { view } = layout;
      const key = keyOf(scene, layout);
      if (canvas.width !== view.width || canvas.height !== view.height)
        canvas = canvasOf(view.width, view.height);
      const isNew = !shown || shown.key !== key || shown.theme !== theme;
      if (
        isNew &&
        shown &&
        (shown.cell !== layout.cell || shown.theme !== theme || shown.colours !== coloursKey(scene))
      )
        sprites = new Map();
      const pen = penOf(canvas.getContext("2d"), scene, layout, theme, sprites);
      if (isNew) pen.context.clearRect(0, 0, view.width, view.height);
      for (let row = layout.first.row; row <= layout.last.row; row += 1) {
        if (isNew || !sameClue(shown.rows[row], scene.rowClues[row]))
          paintRow(pen, row, scene.rowClues[row], !isNew);
      }
      for (let at = layout.first.column; at <= layout.last.column; at += 1) {
        if (isNew || !sameClue(shown.columns[at], scene.columnClues[at]))
          paintColumn(pen, at, scene.columnClues[at], !isNew);
      }
      shown = {
        key,
        theme,
        cell: layout.cell,
        colours: coloursKey(scene),
        rows: scene.rowClues,
        columns: scene.columnClues,
      };
      return canvas;
    },
  };
}

function keyOf(scene, { cell, left, top, pane, gutters, view }) {
  return [
    cell,
    left,
    top,
    pane.left,
    pane.top,
    gutters.left,
    gutters.top,
    view.width,
    view.height,
    scene.width,
    scene.height,
    coloursKey(scene),
  ].join();
}

const coloursKey = ({ background, letters, palette }) => [background, letters, ...palette].join();

function penOf(context, scene, layout, theme, sprites) {
  const { gutters, ratio, cell } = layout;
  const size = Math.round(Math.min(gutters.font, cell) * 10) / 10;
  context.textBaseline = "middle";
  context.font = `${size}px ${theme.font}`;
  const colours = sceneColours(scene, theme);
  const letters = scene.palette.map((_, at) => (scene.letters ? COLOUR_LETTERS[at] : ""));
  return {
    context,
    layout,
    theme,
    colours,
    letters,
    sprites,
    size,
    chips: scene.palette.length > 1,
    font: gutters.font,
    ratio,
  };
}

/** Draw a number around its middle, at most `room` wide: each is drawn once and then copied. */
function paintBlock(pen, block, x, y, room) {
  const { sprites, size } = pen;
  const style = (block.done ? 1 : 0) + (block.soft ? 2 : 0);
  const key = `${block.length} ${block.colour} ${style} ${Math.ceil(room)} ${size}`;
  let sprite = sprites.get(key);
  if (!sprite) {
    sprite = spriteOf(pen, block, room);
    sprites.set(key, sprite);
  }
  pen.context.drawImage(
    sprite,
    Math.round(x - sprite.width / 2),
    Math.round(y - sprite.height / 2),
  );
}

/** A canvas with one number. */
function spriteOf(pen, block, room) {
  const { font, theme, chips, letters, size } = pen;
  const letter = block.soft ? "" : (letters[block.colour - 1] ?? "");
  const text = `${block.length ?? "?"}${letter}`;
  const sprite = canvasOf(Math.ceil(room) + 2, Math.ceil(1.4 * font) + 2);
  const context = sprite.getContext("2d");
  const [x, y] = [sprite.width / 2, sprite.height / 2];
  context.font = `${block.soft ? 400 : 550} ${size}px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  if (chips && !block.soft) paintChip(pen, context, block, text, x, y, room);
  else {
    context.globalAlpha = block.done ? 0.55 : 1;
    context.fillStyle = block.done || block.soft ? theme.soft : theme.ink;
    context.fillText(text, x, y + 0.06 * font, room);
  }
  if (block.done) {
    context.globalAlpha = 1;
    const half = Math.min(room, text.length * DIGIT * font + 4) / 2;
    context.fillStyle = theme.soft;
    context.fillRect(
      Math.round(x - half),
      Math.round(y),
      Math.round(2 * half),
      Math.max(1, Math.round(0.09 * font)),
    );
  }
  return sprite;
}

/** A number on a chip of its colour. */
function paintChip({ font, theme, colours }, context, block, text, x, y, room) {
  const ink = colours.ink[block.colour - 1] ?? theme.ink;
  const wide = Math.min(room, Math.max(1.25, text.length * DIGIT + 0.5) * font);
  context.globalAlpha = block.done ? 0.35 : 1;
  context.fillStyle = ink;
  context.beginPath();
  context.roundRect(x - wide / 2, y - 0.62 * font, wide, 1.24 * font, 0.25 * font);
  context.fill();
  context.lineWidth = Math.max(1, 0.06 * font);
  context.strokeStyle = theme.gridStrong;
  context.stroke();
  context.fillStyle = inkOn(ink);
  context.fillText(text, x, y + 0.06 * font, wide - 2);
}

const ZERO = [{ length: 0, colour: 0 }];
const UNKNOWN = [{ length: null, colour: 0 }];

const blocksOf = (clue) => (clue ? (clue.length ? clue : ZERO) : UNKNOWN);

/** Draw a row's clue, from the board to the left, as far as there is room. */
function paintRow(pen, row, clue, clean) {
  const { context, layout, font, chips } = pen;
  const { cell, pane, gutters } = layout;
  const right = pane.left - Math.round(0.35 * font);
  const y = layout.top + (row + 0.5) * cell;
  const least = pane.left - gutters.left;
  context.save();
  context.beginPath();
  context.rect(least, Math.max(pane.top, layout.top + row * cell), gutters.left, cell);
  context.clip();
  if (clean) context.clearRect(least, layout.top + row * cell, gutters.left, cell);
  const blocks = blocksOf(clue);
  let x = right;
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    const wide = widthOfClue([blocks[at]], chips) * font;
    if (x - wide < least - 0.3 * font && at > 0) {
      paintMore(pen, x - 0.4 * font, y);
      break;
    }
    const gap = chips ? 0.15 : 0.5;
    paintBlock(pen, dim(blocks[at], blocks), x - (wide - gap * font) / 2, y, wide);
    x -= wide;
  }
  context.restore();
}

/** Draw a column's clue, from the board upwards, as far as there is room. */
function paintColumn(pen, column, clue, clean) {
  const { context, layout, font, chips } = pen;
  const { cell, pane, gutters } = layout;
  const pitch = font * (chips ? 1.4 : 1.18);
  const x = layout.left + (column + 0.5) * cell;
  const least = pane.top - gutters.top;
  context.save();
  context.beginPath();
  context.rect(Math.max(pane.left, layout.left + column * cell), least, cell, gutters.top);
  context.clip();
  if (clean) context.clearRect(layout.left + column * cell, least, cell, gutters.top);
  const blocks = blocksOf(clue);
  let y = pane.top - Math.round(0.3 * font) - pitch / 2;
  for (let at = blocks.length - 1; at >= 0; at -= 1) {
    if (y - pitch * 0.6 < least && at > 0) {
      paintMore(pen, x, y);
      break;
    }
    paintBlock(pen, dim(blocks[at], blocks), x, y, cell - Math.max(1.5 * pen.ratio, 0.12 * cell));
    y -= pitch;
  }
  context.restore();
}

/** Draw the zero of an empty line in a pale colour. */
const dim = (block, blocks) =>
  blocks === ZERO || blocks === UNKNOWN ? { ...block, colour: 1, soft: true } : block;

function paintMore({ context, theme }, x, y) {
  context.textAlign = "center";
  context.fillStyle = theme.soft;
  context.fillText("…", x, y);
}

/**
 * Draw bands under clues: the lines at the pointer, highlighted and wrong ones. Because colour
 * alone is not sufficient, a highlighted line has a bar next to the board, one
 * that decides more cells a short bar there, a wrong one a dashed bar at the far end of its clue, and
 * one that contradicts others a frame around its clue.
 */
export function paintBands(context, scene, layout, theme, pointer) {
  const { pane, gutters, cell, ratio } = layout;
  const bar = Math.max(2, Math.round(2.5 * ratio));
  const clip = (x, y, wide, high, draw) => {
    context.save();
    context.beginPath();
    context.rect(x, y, wide, high);
    context.clip();
    draw();
    context.restore();
  };
  const [far, top] = [pane.left - gutters.left, pane.top - gutters.top];
  const fill = (colour, ...place) => {
    context.fillStyle = colour;
    context.fillRect(...place);
  };
  const frame = (x, y, wide, high) => {
    context.lineWidth = bar;
    context.strokeStyle = theme.bad;
    context.strokeRect(x + bar / 2, y + bar / 2, wide - bar, high - bar);
  };
  const dashes = Math.max(2, Math.round(cell / 5));
  const quarter = Math.round(cell / 4);
  clip(far, pane.top, gutters.left, pane.height, () => {
    const y = (row) => layout.top + row * cell;
    if (pointer.row >= 0) fill(theme.band, far, y(pointer.row), gutters.left, cell);
    for (const { row, kind } of scene.lines.filter((line) => line.row !== undefined)) {
      if (kind === "more") {
        fill(theme.accent, pane.left - bar, y(row) + quarter, bar, cell - 2 * quarter);
        continue;
      }
      fill(kind === "lit" ? theme.lit : theme.wrong, far, y(row), gutters.left, cell);
      if (kind === "clash") frame(far, y(row), gutters.left, cell);
      else if (kind === "lit") fill(theme.accent, pane.left - bar, y(row) + 1, bar, cell - 1);
      else
        for (let at = 0; at < 5; at += 2) fill(theme.bad, far, y(row) + at * dashes, bar, dashes);
    }
  });
  clip(pane.left, top, pane.width, gutters.top, () => {
    const x = (column) => layout.left + column * cell;
    if (pointer.column >= 0) fill(theme.band, x(pointer.column), top, cell, gutters.top);
    for (const { column, kind } of scene.lines.filter((line) => line.column !== undefined)) {
      if (kind === "more") {
        fill(theme.accent, x(column) + quarter, pane.top - bar, cell - 2 * quarter, bar);
        continue;
      }
      fill(kind === "lit" ? theme.lit : theme.wrong, x(column), top, cell, gutters.top);
      if (kind === "clash") frame(x(column), top, cell, gutters.top);
      else if (kind === "lit") fill(theme.accent, x(column) + 1, pane.top - bar, cell - 1, bar);
      else
        for (let at = 0; at < 5; at += 2)
          fill(theme.bad, x(column) + at * dashes, top, dashes, bar);
    }
  });
}
