// A board on a canvas: shows a scene and reports events. It is independent of the page: size, zoom
// and visible part are its own, everything else is in the scene (see the README).

import { createCellImage, paintBoard, paintPointers } from "./paint.js";
import { createGutters, paintBands } from "./clues.js";
import { paintFar } from "./far.js";
import { cursorAfter } from "./keys.js";
import {
  demandOf,
  farOf,
  firstCell,
  fittingCell,
  layoutOf,
  placeAt,
  roomyDemand,
  scrollAround,
  scrollTo,
} from "./layout.js";
import { createClueLists } from "./lists.js";
import { createMap } from "./map.js";
import { describeLoop, edgeAt, edgeBeside, paintLoop } from "./loop.js";
import { listenToPointers } from "./pointer.js";
import { createStillness } from "./still.js";
import { onTheme, readTheme } from "./theme.js";
import { createTiles } from "./tiles.js";
import { describeCell } from "./words.js";

const LARGEST = 72; // CSS pixels of a cell, zoomed in
const SMALL = 480; // CSS pixels of a view without spare room
const isLoop = (scene) => scene.family === "slitherlink";

/**
 * A board.
 *
 * @param {HTMLElement} host Filled by the board, which takes its size.
 * @param {{onEvent: (event: object) => boolean|void}} options Called for every event; returns true
 *   for a key that it handled.
 * @returns {{show: (scene: object) => void, focus: () => void, zoom: (factor: number) => void,
 *   fit: () => void, canvas: HTMLCanvasElement, close: () => void}}
 */
export function createBoard(host, { onEvent }) {
  const parts = buildParts(host);
  const { canvas } = parts;
  const it = {
    ...parts,
    host,
    onEvent,
    context: canvas.getContext("2d"),
    scene: null,
    size: null,
    layout: null,
    theme: readTheme(host),
    tiles: null,
    view: { width: 0, height: 0 },
    ratio: 1,
    demand: null,
    chosen: null, // the cell to which the user zoomed
    isWhole: false, // true if the whole board is shown
    scroll: { x: 0, y: 0 },
    pointer: { row: -1, column: -1, edge: null, focused: false, isDown: false },
    cellImage: createCellImage(),
    gutters: createGutters(),
    lists: createClueLists(parts.lists),
    edge: null, // keyboard cursor on the edges of a loop
    cursor: null, // keyboard cursor: scenes come once a frame, keys may come faster
    frame: 0,
    shape: "",
    spoken: "",
  };
  it.map = createMap(host, (scroll) => {
    it.scroll = scroll;
    place(it);
    later(it);
  });
  it.still = createStillness(() => measure(it));
  const resized = new ResizeObserver(() => measure(it));
  resized.observe(host);
  const forget = onTheme(() => {
    it.theme = readTheme(host);
    it.tiles = null;
    later(it);
  });
  listenToPointers(parts.field, pointerEvents(it));
  listenToKeys(it);
  return {
    canvas,
    show: (scene) => show(it, scene),
    focus: () => parts.field.focus({ preventScroll: true }),
    zoom: (factor) => zoomTo(it, it.layout?.cell * factor),
    fit: () => fit(it),
    close: () => {
      resized.disconnect();
      forget();
    },
  };
}

function buildParts(host) {
  const make = (tag, className, attributes = {}) => {
    const element = document.createElement(tag);
    element.className = className;
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element;
  };
  const field = make("div", "board-field", {
    tabindex: "0",
    role: "application",
    "aria-label": "Board",
    "aria-roledescription": "puzzle board",
  });
  const canvas = make("canvas", "board-canvas", { "aria-hidden": "true" });
  const spoken = make("div", "visually-hidden board-spoken", {
    "aria-live": "polite",
    "aria-atomic": "true",
  });
  const lists = make("div", "visually-hidden board-lists");
  const legend = make("div", "board-legend");
  legend.hidden = true;
  legend.replaceChildren("surely empty", make("span", "board-ramp"), "surely filled");
  field.append(canvas);
  host.classList.add("board-host");
  host.replaceChildren(field, legend, spoken, lists);
  return { field, canvas, spokenElement: spoken, lists, legend };
}

function show(it, scene) {
  const before = it.scene;
  it.scene = scene;
  it.cursor = scene.cursor;
  const shape = `${scene.family} ${scene.height} ${scene.width}`;
  if (shape !== it.shape) {
    const scroll = { x: 0, y: 0 };
    Object.assign(it, { shape, chosen: null, isWhole: false, scroll, demand: null });
    it.pointer.row = it.pointer.column = -1;
    it.pointer.edge = it.edge = null;
    it.still.release();
  } else if (before?.grows !== scene.grows) it.still.release(); // another mode
  it.lists(scene);
  showLegend(it.legend, scene);
  const { cursor, inView } = scene;
  place(it);
  if (isNew(cursor, before?.cursor) && it.pointer.focused && !it.pointer.isDown) reveal(it, cursor);
  if (isNew(inView, before?.inView)) reveal(it, inView);
  speak(it);
  later(it);
}

function showLegend(legend, { heat, heatWords }) {
  legend.hidden = !heat;
  const [least, most] = heatWords ?? ["surely empty", "surely filled"];
  legend.firstChild.textContent = least;
  legend.lastChild.textContent = most;
}

/**
 * Fit the canvas to its host. The field has the size of the canvas, not of the host: during a
 * stroke and shortly after it both stay unchanged, even if the page around them changes.
 */
function measure(it) {
  if (it.still.isOn()) return;
  const box = it.host.getBoundingClientRect();
  it.ratio = devicePixelRatio || 1;
  it.view = { width: Math.floor(box.width * it.ratio), height: Math.floor(box.height * it.ratio) };
  if (!it.view.width || !it.view.height) return;
  it.canvas.width = it.view.width;
  it.canvas.height = it.view.height;
  for (const { style } of [it.canvas, it.field]) {
    style.width = `${it.view.width / it.ratio}px`;
    style.height = `${it.view.height / it.ratio}px`;
  }
  place(it);
  paint(it); // paint at once: a canvas of another size is empty
}

/** Enlarge gutters while a picture is drawn, but neither during a stroke nor shortly after it. */
function demandNow(it) {
  const { scene } = it;
  if (isLoop(scene)) return null;
  const isSmall = Math.min(it.view.width, it.view.height) < SMALL * it.ratio;
  const demand = scene.grows ? roomyDemand(scene, isSmall) : demandOf(scene);
  if (!scene.grows || !it.demand) return demand;
  if (it.still.isOn()) return it.demand;
  return {
    across: Math.max(demand.across, it.demand.across),
    down: Math.max(demand.down, it.demand.down),
  };
}

function place(it) {
  const { scene, view, ratio } = it;
  if (!scene || !view.width) return;
  it.demand = demandNow(it);
  it.size = { height: scene.height, width: scene.width, far: farOf(scene) };
  const usual = it.isWhole ? fittingCell : firstCell;
  const cell = it.chosen ?? usual(it.size, it.demand, view, ratio);
  if (it.layout?.cell !== cell) it.tiles = null;
  it.layout = layoutOf(it.size, it.demand, view, cell, it.scroll, ratio);
  it.scroll = it.layout.scroll;
}

/** Paint in the next frame, once for all requests of this frame. */
function later(it) {
  it.frame ||= requestAnimationFrame(() => {
    it.frame = 0;
    paint(it);
  });
}

function paint(it) {
  const { context, scene, layout, theme, pointer } = it;
  if (!scene || !layout) return;
  it.tiles ??= createTiles(layout.cell, theme, it.ratio);
  context.clearRect(0, 0, it.view.width, it.view.height);
  paintFar(context, scene, layout, theme, pointer);
  if (isLoop(scene)) {
    paintLoop(context, scene, layout, theme, pointer);
    it.map(scene, layout, theme, null);
    return;
  }
  paintBands(context, scene, layout, theme, pointer);
  context.drawImage(it.gutters.paint(scene, layout, theme), 0, 0);
  const image = paintBoard(context, scene, layout, theme, it);
  it.map(scene, layout, theme, image);
  paintPointers(context, scene, layout, theme, pointer);
}

function zoomTo(it, target, x = it.view.width / 2, y = it.view.height / 2) {
  if (!it.layout) return;
  const least = Math.min(fittingCell(it.size, it.demand, it.view, it.ratio), 4 * it.ratio);
  const rounded = Math.round(target);
  const step = rounded === it.layout.cell ? Math.sign(target - it.layout.cell) : 0;
  const cell = Math.max(least, Math.min(Math.round(LARGEST * it.ratio), rounded + step));
  it.scroll = scrollAround(it.layout, cell, x, y);
  it.chosen = cell;
  place(it);
  later(it);
}

function fit(it) {
  it.still.release();
  Object.assign(it, { chosen: null, isWhole: true, demand: null });
  place(it);
  later(it);
}

function pan(it, dx, dy) {
  it.scroll = { x: it.scroll.x - dx * it.ratio, y: it.scroll.y - dy * it.ratio };
  place(it);
  later(it);
}

const isNew = (cell, before) => cell && !(before?.row === cell.row && before.column === cell.column);

/** Scroll a cell into view. */
function reveal(it, { row, column }) {
  if (!it.layout || row === undefined) return; // an edge of a loop
  it.scroll = scrollTo(it.layout, row, column);
  place(it);
}

/** Announce the cell at the cursor to screen readers when it, or its content, has changed. */
function speak(it) {
  const { scene } = it;
  if (!scene.cursor || !it.pointer.focused || it.pointer.isDown) return;
  const { row, column } = scene.cursor;
  const text =
    scene.label ?? (isLoop(scene) ? describeLoop(scene, it) : describeCell(scene, row, column));
  if (text === it.spoken) return;
  it.spoken = text;
  it.spokenElement.textContent = text;
}

function pointerEvents(it) {
  let last = "";
  const at = (event) => {
    const box = it.canvas.getBoundingClientRect();
    return { x: (event.clientX - box.left) * it.ratio, y: (event.clientY - box.top) * it.ratio };
  };
  const draw = (type, event) => {
    if (!it.layout) return;
    const { x, y } = at(event);
    const found = placeAt(it.layout, x, y);
    const edge = isLoop(it.scene) ? edgeAt(x, y, it.layout) : null;
    const key = `${type} ${found.row} ${found.column} ${found.inside} ${edge}`;
    if ((type === "move" || type === "hover") && key === last) return; // nothing new
    last = key;
    if (type === "down" && !edge && !found.inside && found.row >= 0 && found.column >= 0) return;
    it.pointer.isDown = type === "down" || type === "move";
    if (type === "down") it.still.begin();
    else if (type === "up" || type === "cancel") it.still.end();
    hover(it, found, edge);
    if (type === "down") it.edge = edge;
    const outside = type === "hover" && !found.inside && found.row >= 0 && found.column >= 0;
    it.onEvent({
      type,
      edge,
      row: outside ? -1 : found.row,
      column: outside ? -1 : found.column,
      button: event.button,
      buttons: event.buttons,
      shift: event.shiftKey,
      ctrl: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      key: null,
      pointer: event.pointerType,
    });
    if (!it.pointer.isDown && type !== "hover") {
      place(it);
      later(it);
    }
  };
  return {
    draw,
    pan: (dx, dy) => pan(it, dx, dy),
    pinch: ({ x, y, by, dx, dy }) => {
      const middle = at({ clientX: x, clientY: y });
      pinchTo(it, by, middle);
      pan(it, dx, dy);
    },
    room: () => it.layout?.most ?? { x: 0, y: 0 }, // distance by which the board can be moved
    leave: () => {
      last = "";
      hover(it, { row: -1, column: -1, inside: false }, null);
      it.onEvent({ type: "hover", row: -1, column: -1, edge: null, pointer: "mouse" });
    },
  };
}

/** Zoom by pinching: cells change by less than a pixel at a time, and the remainder is stored. */
function pinchTo(it, by, { x, y }) {
  if (!it.layout) return;
  const now = it.layout.cell;
  it.exact = (Math.round(it.exact ?? now) === now ? (it.exact ?? now) : now) * by;
  if (Math.round(it.exact) !== now) zoomTo(it, it.exact, x, y);
}

function hover(it, found, edge) {
  const isOn = found.inside || found.row < 0 || found.column < 0;
  const [row, column] = isOn ? [found.row, found.column] : [-1, -1];
  const { pointer } = it;
  if (pointer.row === row && pointer.column === column && String(pointer.edge) === String(edge))
    return;
  Object.assign(pointer, { row, column, edge });
  later(it);
}

/** Move the cursor from edge to edge of a loop by arrow keys; it is also at an adjacent cell. */
function edgeAfter(_, scene, key, { it }) {
  if (!key.startsWith("Arrow")) return null;
  it.edge = edgeBeside(scene, it.edge, key);
  it.pointer.edge = it.edge;
  later(it);
  const within = (value, size) => Math.min(value, size - 1);
  return { row: within(it.edge[0], scene.height), column: within(it.edge[1], scene.width) };
}

function listenToKeys(it) {
  const { field, pointer } = it;
  field.addEventListener("keydown", (event) => {
    if (!it.scene) return;
    const ctrl = event.ctrlKey || event.metaKey;
    const flags = {
      shift: event.shiftKey,
      ctrl,
      alt: event.altKey,
      edge: null,
      button: 0,
      pointer: "key",
    };
    const from = it.cursor ?? { row: 0, column: 0 };
    const move = isLoop(it.scene) ? edgeAfter : cursorAfter;
    const to = event.altKey ? null : move(from, it.scene, event.key, { ctrl, it });
    flags.edge = it.edge;
    if (to) it.cursor = to;
    const type = to ? "cursor" : "key";
    const used = it.onEvent({ type, ...(to ?? from), key: event.key, ...flags });
    if (to) speak(it);
    if (to || used) event.preventDefault();
  });
  field.addEventListener("focus", () => {
    pointer.focused = field.matches(":focus-visible") || pointer.focused;
    if (it.scene) speak(it);
    later(it);
  });
  field.addEventListener(
    "keydown",
    () => {
      pointer.focused = true;
    },
    true,
  );
  field.addEventListener(
    "pointerdown",
    () => {
      pointer.focused = false;
    },
    true,
  );
  field.addEventListener("blur", () => {
    pointer.focused = false;
    later(it);
  });
}
