// Small pictures of documents.

import { h } from "../ui/dom.js";

/**
 * Draw a document's picture.
 *
 * @param {HTMLCanvasElement} canvas Its size becomes that of the picture, times a whole number.
 * @param {{height, width, cells, palette, background}} picture
 * @param {number} most Pixels of the longer side.
 */
export function drawThumbnail(canvas, { height, width, cells, palette, background }, most) {
  const cell = Math.max(1, Math.floor(most / Math.max(height, width)));
  canvas.width = width * cell;
  canvas.height = height * cell;
  const context = canvas.getContext("2d");
  context.fillStyle = background;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < cells.length; at += 1) {
    if (!cells[at]) continue;
    context.fillStyle = palette[cells[at] - 1];
    context.fillRect((at % width) * cell, Math.floor(at / width) * cell, cell, cell);
  }
}

/** A picture as a PNG of one whole number of pixels a cell. */
export function pngOf(picture, most = 2000) {
  const canvas = document.createElement("canvas");
  drawThumbnail(canvas, picture, Math.max(most, picture.width, picture.height));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** A picture as an element of a tile. */
export function thumbnail(picture) {
  const canvas = h("canvas.tile-picture", { "aria-hidden": "true" });
  drawThumbnail(canvas, picture, 192);
  return canvas;
}

/** A grid of the puzzle's shape; its picture is not shown to the player. */
export function emblem({ height, width, family }) {
  const canvas = h("canvas.tile-picture", { "aria-hidden": "true", dataset: { family } });
  const most = Math.max(height, width);
  const cells = Math.max(3, Math.min(10, Math.round(most / 3)));
  const [rows, columns] = [height, width].map((side) =>
    Math.max(2, Math.round((side * cells) / most)),
  );
  const cell = Math.floor(128 / cells);
  canvas.width = columns * cell + 6;
  canvas.height = rows * cell + 6;
  // Two pixels for one of the screen, so that lines are sharp.
  canvas.style.width = `${canvas.width / 2}px`;
  canvas.style.height = `${canvas.height / 2}px`;
  const context = canvas.getContext("2d");
  context.fillStyle = context.strokeStyle = "#8d8676";
  context.lineWidth = 2;
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      const [x, y] = [column * cell + 3, row * cell + 3];
      if (family === "slitherlink") context.fillRect(x - 2, y - 2, 5, 5);
      else if (row < rows && column < columns) context.strokeRect(x, y, cell, cell);
    }
  }
  return canvas;
}
