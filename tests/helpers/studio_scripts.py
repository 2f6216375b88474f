"""Scripts that tests run in the studio's page."""

from __future__ import annotations

PLACES = """() => {
  const field = document.querySelector(".board-field");
  const box = field.getBoundingClientRect();
  const told = () => {
    const found = { Row: -1, Column: -1 };
    for (const name of document.querySelectorAll("#readout b")) {
      const [side, number] = name.textContent.split(" ");
      found[side] = Number(number) - 1;
    }
    return found;
  };
  const at = (x, y) => {
    const place = { clientX: x, clientY: y, pointerType: "mouse", bubbles: true };
    field.dispatchEvent(new PointerEvent("pointermove", place));
    return told();
  };
  const isIn = (x, y) => {
    const { Row, Column } = at(x, y);
    return Row >= 0 && Column >= 0;
  };
  const inside = () => {
    for (let parts = 2; parts < 128; parts *= 2) {
      for (let i = 1; i < parts; i += 1) for (let j = 1; j < parts; j += 1) {
        const [x, y] = [box.left + (box.width * i) / parts, box.top + (box.height * j) / parts];
        if (isIn(x, y)) return [x, y];
      }
    }
    throw new Error("no cell of the board is seen");
  };
  const edge = (test, good, bad) => {
    for (let step = 0; step < 16; step += 1) {
      const middle = (good + bad) / 2;
      if (test(middle)) good = middle;
      else bad = middle;
    }
    return good;
  };
  const [x, y] = inside();
  const left = edge((value) => isIn(value, y), x, box.left - 1);
  const right = edge((value) => isIn(value, y), x, box.right + 1);
  const top = edge((value) => isIn(x, value), y, box.top - 1);
  const bottom = edge((value) => isIn(x, value), y, box.bottom + 1);
  const [first, last] = [at(left, top), at(right, bottom)];
  field.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
  return {
    row: first.Row, column: first.Column, left, top,
    width: (right - left) / (last.Column - first.Column + 1),
    height: (bottom - top) / (last.Row - first.Row + 1),
  };
}"""

EDGES = """async ([height, width]) => {
  const { fittingCell, layoutOf } = await import("/board/layout.js");
  const canvas = document.querySelector(".board-canvas");
  const view = { height: canvas.height, width: canvas.width };
  const size = { height, width };
  const cell = fittingCell(size, null, view, devicePixelRatio);
  const at = layoutOf(size, null, view, cell, { x: 0, y: 0 }, devicePixelRatio);
  const box = canvas.getBoundingClientRect();
  const by = devicePixelRatio;
  return { left: box.left + at.left / by, top: box.top + at.top / by, cell: cell / by };
}"""

PIXELS = """(boxes) => {
  const canvas = document.querySelector(".board-canvas");
  const box = canvas.getBoundingClientRect();
  const by = canvas.width / box.width;
  const copy = new OffscreenCanvas(canvas.width, canvas.height);
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  return boxes.map(([x, y, ...size]) => {
    const place = [x - box.left, y - box.top, ...size].map((value) => Math.round(value * by));
    const { data } = context.getImageData(...place);
    return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
  });
}"""

CLUES = """() => [...document.querySelectorAll(".board-lists ol")].map((list) =>
  [...list.querySelectorAll("li")].map((line) => line.textContent))"""

FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

DROP = """([name, type, data]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], name, { type }));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    const event = new DragEvent(kind, { dataTransfer: carried, bubbles: true, cancelable: true });
    document.body.dispatchEvent(event);
  }
}"""

PASTE_IMAGE = """(data) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes], "image.png", { type: "image/png" }));
  const event = { clipboardData, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new ClipboardEvent("paste", event));
}"""

DROP_LARGE = """([name, size]) => {
  const carried = new DataTransfer();
  carried.items.add(new File([new Uint8Array(size)], name));
  const event = new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true });
  document.body.dispatchEvent(event);
}"""
