// Patterns of one cell, made once for each size and theme: a mark over thousands of cells is one
// fill.

import { rgbOf } from "../state/colours.js";

/**
 * Tiles of a cell for marks.
 *
 * @param {number} cell Device pixels.
 * @param {object} theme See `theme.js`.
 */
export function createTiles(cell, theme, ratio) {
  const made = new Map();
  return (kind, colour = "") => {
    const key = `${kind} ${colour}`;
    if (!made.has(key))
      made.set(
        key,
        tile(cell, ratio, (context) => DRAW[kind]?.(context, cell, theme, ratio, colour)),
      );
    return made.get(key);
  };
}

/** An invisible canvas. */
export function canvasOf(width, height) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  return canvas;
}

function tile(cell, ratio, draw) {
  const canvas = canvasOf(cell, cell);
  const context = canvas.getContext("2d");
  context.lineCap = "round";
  draw(context, cell, ratio);
  return canvas;
}

/** A stroke with a halo, so that it is visible on ink and on paper. */
function haloed(context, path, colour, width, halo) {
  context.lineWidth = width * 2.2;
  context.strokeStyle = halo;
  context.stroke(path);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke(path);
}

function cross(cell, inset) {
  const path = new Path2D();
  const far = cell - inset;
  path.moveTo(inset, inset);
  path.lineTo(far, far);
  path.moveTo(far, inset);
  path.lineTo(inset, far);
  return path;
}

function ring(cell, inset) {
  const path = new Path2D();
  path.rect(inset, inset, cell - 2 * inset, cell - 2 * inset);
  return path;
}

const thin = (cell, ratio) => Math.max(1, Math.min(2 * ratio, cell * 0.09));

const HEAT = ["#2b5c9e", "#f4f1ea", "#c2570c"]; // surely empty, open, surely filled

/** The colour of a belief: blue for empty, orange for filled; distinguishable for colour-blind
 * readers.
 */
function heatColour(value) {
  const part = Math.max(0, Math.min(1, value)) * 2;
  const [from, to] = part < 1 ? [rgbOf(HEAT[0]), rgbOf(HEAT[1])] : [rgbOf(HEAT[1]), rgbOf(HEAT[2])];
  const share = part < 1 ? part : part - 1;
  return from.map((channel, at) => Math.round(channel + (to[at] - channel) * share));
}

const DRAW = {
  /** A belief: a square whose size is the certainty, with a dot if filled is likelier. */
  heat(context, cell, theme, ratio, level) {
    const value = Number(level);
    const side = Math.max(2, Math.round(cell * (0.3 + 0.62 * Math.abs(value - 0.5) * 2)));
    const inset = (cell - side) >> 1;
    context.fillStyle = `rgb(${heatColour(value).join(" ")})`;
    context.fillRect(inset, inset, side, side);
    if (value <= 0.5 || cell <= 9 * ratio) return;
    const dot = Math.max(2, cell >> 3);
    context.fillStyle = "rgb(0 0 0 / 55%)";
    context.fillRect((cell - dot) >> 1, (cell - dot) >> 1, dot, dot);
  },
  /** Diagonal stripes: solutions differ here. */
  disputed(context, cell, theme, ratio) {
    context.globalAlpha = 0.28;
    context.fillStyle = theme.accent;
    context.fillRect(0, 0, cell, cell);
    context.globalAlpha = 1;
    const path = new Path2D();
    for (const at of cell < 8 * ratio ? [0] : [-0.5, 0, 0.5]) {
      path.moveTo((at - 0.05) * cell, 1.05 * cell);
      path.lineTo((at + 1.05) * cell, -0.05 * cell);
    }
    context.lineCap = "butt";
    haloed(context, path, theme.accent, thin(cell, ratio), theme.paper);
  },
  /** A ring in the new colour around the cell, with a halo; a cell made empty has a hollow one. */
  change(context, cell, theme, ratio, colour) {
    const inset = Math.max(2, cell * 0.16);
    context.lineJoin = "round";
    haloed(context, ring(cell, inset * 0.8), theme.accent, thin(cell, ratio) * 1.6, theme.paper);
    context.fillStyle = colour || theme.paper;
    context.fillRect(inset * 1.5, inset * 1.5, cell - 3 * inset, cell - 3 * inset);
  },
  /** Tint and a diamond: a change of this cell alone leaves one solution. */
  mends(context, cell, theme, ratio) {
    context.globalAlpha = 0.3;
    context.fillStyle = theme.good;
    context.fillRect(0, 0, cell, cell);
    context.globalAlpha = 1;
    const path = new Path2D();
    const [middle, arm] = [cell / 2, cell * 0.2];
    path.moveTo(middle, middle - arm);
    path.lineTo(middle + arm, middle);
    path.lineTo(middle, middle + arm);
    path.lineTo(middle - arm, middle);
    path.closePath();
    haloed(context, path, theme.good, thin(cell, ratio), theme.paper);
  },
  /** A cross in a box. */
  wrong(context, cell, theme, ratio) {
    haloed(context, cross(cell, cell * 0.24), theme.bad, thin(cell, ratio) * 1.5, theme.paper);
    context.lineWidth = thin(cell, ratio) * 1.5;
    context.strokeStyle = theme.bad;
    context.stroke(ring(cell, context.lineWidth));
  },
  /** Frame: newly decided by the current step. */
  settled(context, cell, theme, ratio, style) {
    if (style === "thin") {
      context.lineWidth = Math.max(1, ratio);
      context.strokeStyle = theme.accent;
      context.stroke(ring(cell, 1.5 * context.lineWidth));
      return;
    }
    const width = thin(cell, ratio) * 1.4;
    haloed(context, ring(cell, width * 1.4), theme.accent, width, theme.paper);
  },
  /** Small dashed frame: an assumption, inside the frame of a cell that it settles. */
  assumed(context, cell, theme, ratio) {
    const width = thin(cell, ratio) * 1.4;
    context.setLineDash([cell * 0.14, cell * 0.1]);
    haloed(context, ring(cell, cell * 0.27), theme.hint, width, theme.paper);
  },
  /** Consequence of an assumption: a dot for filled, a cross for empty. */
  tried(context, cell, theme, ratio, colour) {
    if (colour === "0") {
      haloed(context, cross(cell, cell * 0.34), theme.hint, thin(cell, ratio), theme.paper);
      return;
    }
    context.beginPath();
    context.arc(cell / 2, cell / 2, Math.max(1, cell * 0.2), 0, 7);
    context.fillStyle = theme.hint;
    context.fill();
  },
  /** A dashed frame; in it a square for filled, in the cell's new colour, or a cross for empty. */
  hint(context, cell, theme, ratio, colour) {
    const width = thin(cell, ratio) * 1.4;
    if (colour === "0") haloed(context, cross(cell, cell * 0.34), theme.hint, width, theme.paper);
    else if (colour) {
      context.fillStyle = theme.paper;
      context.fill(ring(cell, cell * 0.28 - width));
      context.fillStyle = colour;
      context.fill(ring(cell, cell * 0.28));
    }
    context.setLineDash([cell * 0.18, cell * 0.14]);
    haloed(context, ring(cell, width * 1.4), theme.hint, width, theme.paper);
  },
  /** Folded corner: unchanged by repairs. */
  protected(context, cell, theme) {
    const size = Math.max(3, cell * 0.36);
    context.beginPath();
    context.moveTo(cell, cell);
    context.lineTo(cell - size, cell);
    context.lineTo(cell, cell - size);
    context.fillStyle = theme.hint;
    context.fill();
    context.lineWidth = Math.max(1, cell * 0.05);
    context.strokeStyle = theme.paper;
    context.stroke();
  },
  /** Dot: given from the beginning. */
  given(context, cell, theme) {
    context.beginPath();
    context.arc(cell / 2, cell / 2, Math.max(1, cell * 0.1), 0, 7);
    context.fillStyle = theme.hint;
    context.fill();
  },
  /** Small cross: certainly empty. */
  cross(context, cell, theme, ratio) {
    context.lineWidth = thin(cell, ratio);
    context.strokeStyle = theme.soft;
    context.stroke(cross(cell, cell * 0.32));
  },
  /** A colour's letter. */
  letter(context, cell, theme, ratio, colour) {
    const [text, ink] = colour.split("/");
    context.font = `600 ${Math.round(cell * 0.55)}px ${theme.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillStyle = ink;
    context.fillText(text, cell / 2, cell * 0.54);
  },
};
