// A small picture of the whole board, in the corner between the gutters, while a part of the board
// is out of view. A press or a drag on it moves the board.

const MARGIN = 4; // CSS pixels
const LEAST = 40; // a smaller corner has no map
const MOST = 240;

/**
 * The place of the map: `{ width, height, by, window }` in CSS pixels, `by` of them a cell, `window`
 * the visible part; null without a map.
 *
 * @param {object} layout Of `layoutOf`.
 */
export function mapOf({ height, width, cell, ratio, pane, scroll, most }) {
  const corner = Math.floor(Math.min(pane.left, pane.top) / ratio) - 2 * MARGIN;
  const room = Math.min(MOST, corner);
  if (room < LEAST || (!most.x && !most.y)) return null;
  const by = room / Math.max(height, width);
  const part = { left: scroll.x, top: scroll.y, width: pane.width, height: pane.height };
  const window = Object.fromEntries(
    Object.entries(part).map(([side, pixels]) => [side, (pixels / cell) * by]),
  );
  return { width: width * by, height: height * by, by, window };
}

/** The scroll that has a place of the map in the middle of the view. */
export function scrollOnMap({ cell, pane }, { by }, x, y) {
  return { x: (x / by) * cell - pane.width / 2, y: (y / by) * cell - pane.height / 2 };
}

/**
 * The map of a board.
 *
 * @param {HTMLElement} host The board's.
 * @param {(scroll: {x: number, y: number}) => void} move Called by a press and a drag.
 * @returns {(scene: object, layout: object, theme: object, image: CanvasImageSource|null) => void}
 *   Shows it; `image` has a pixel a cell, null hides the map.
 */
export function createMap(host, move) {
  const canvas = document.createElement("canvas");
  canvas.className = "board-map";
  canvas.setAttribute("aria-hidden", "true"); // the cursor moves the board, too
  canvas.hidden = true;
  host.append(canvas);
  let shown = null; // { layout, map }
  const follow = (event) => {
    if (!shown || !event.buttons) return;
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    move(scrollOnMap(shown.layout, shown.map, x, y));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    follow(event);
  });
  canvas.addEventListener("pointermove", follow);
  return (scene, layout, theme, image) => {
    const map = image && mapOf(layout);
    shown = map && { layout, map };
    canvas.hidden = !map;
    if (map) paint(canvas, scene, layout, theme, image, map);
  };
}

function paint(canvas, scene, { ratio }, theme, image, { width, height, by, window }) {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(ratio, ratio);
  context.drawImage(image, 0, 0, width, height);
  context.fillStyle = theme.accent;
  const size = Math.max(1, by);
  for (const { kind, row, column } of scene.marks)
    if (kind === "disputed") context.fillRect(column * by, row * by, size, size);
  context.lineWidth = 2;
  context.strokeStyle = theme.bad;
  context.strokeRect(window.left, window.top, window.width, window.height);
}
