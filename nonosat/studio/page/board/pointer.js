// Mouse, touch and pen on a canvas: one pointer draws, two pinch and move, the wheel scrolls or
// zooms.

const place = (event) => ({ x: event.clientX, y: event.clientY });

/**
 * Handle pointer events.
 *
 * @param {HTMLElement} element
 * @param {object} handlers `draw(type, event)` with down, move, up, cancel, hover; `pinch({ x, y, by,
 *   dx, dy })`, `pan(dx, dy)` in CSS pixels, `leave()`; `room()` returns `{ x, y }`, the distance
 *   by which the board can be moved.
 */
export function listenToPointers(element, handlers) {
  const touches = new Map(); // places of pressed pointers, by id
  let drawing = null; // the pointer that draws
  let panning = null;
  const down = (event) => {
    if (event.pointerType === "mouse" && event.button === 1) panning = place(event);
    touches.set(event.pointerId, place(event));
    element.setPointerCapture(event.pointerId);
    if (touches.size > 1) {
      if (drawing !== null) handlers.draw("cancel", event);
      drawing = null;
    } else if (!panning && event.button <= 2) {
      drawing = event.pointerId;
      handlers.draw("down", event);
    }
    event.preventDefault();
    element.focus({ preventScroll: true });
  };
  const move = (event) => {
    const before = touches.get(event.pointerId);
    if (!before) {
      handlers.draw("hover", event);
      return;
    }
    if (panning) handlers.pan(event.clientX - before.x, event.clientY - before.y);
    else if (touches.size === 2) pinch(event, before);
    else if (drawing === event.pointerId) {
      const parts = event.getCoalescedEvents?.() ?? [];
      for (const part of parts.length ? parts : [event]) handlers.draw("move", part);
    }
    touches.set(event.pointerId, place(event));
  };
  const pinch = (event, before) => {
    const other = [...touches].find(([id]) => id !== event.pointerId)[1];
    const distance = (at) => Math.hypot(at.x - other.x, at.y - other.y);
    const now = place(event);
    handlers.pinch({
      x: (now.x + other.x) / 2,
      y: (now.y + other.y) / 2,
      by: distance(now) / Math.max(1, distance(before)),
      dx: (now.x - before.x) / 2,
      dy: (now.y - before.y) / 2,
    });
  };
  const end = (type) => (event) => {
    if (!touches.delete(event.pointerId)) return;
    panning = null;
    if (drawing !== event.pointerId) return;
    drawing = null;
    handlers.draw(type, event);
  };
  element.addEventListener("pointerdown", down);
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end("up"));
  element.addEventListener("pointercancel", end("cancel"));
  element.addEventListener("lostpointercapture", end("cancel"));
  element.addEventListener("pointerleave", () => handlers.leave());
  listenToWheel(element, handlers);
  element.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Scroll a board that is larger than its area by the wheel; with Ctrl zoom. */
function listenToWheel(element, handlers) {
  const wheel = (event) => {
    const unit = event.deltaMode === 1 ? 16 : 1;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      handlers.pinch({ ...place(event), by: Math.exp(-event.deltaY * unit * 0.004), dx: 0, dy: 0 });
      return;
    }
    const room = handlers.room();
    if (room.x || room.y) {
      event.preventDefault();
      // The usual wheel scrolls a board that is only too wide horizontally.
      const isAcross = (event.shiftKey || !room.y) && !event.deltaX;
      const [dx, dy] = isAcross ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      handlers.pan(-dx * unit, -dy * unit);
    }
  };
  element.addEventListener("wheel", wheel, { passive: false });
}
