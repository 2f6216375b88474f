// Small pictures of documents.

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
