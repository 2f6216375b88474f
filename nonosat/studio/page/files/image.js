// The dialog that converts an image to a picture, with a preview for its size and colours.

import { button, fill, h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { fromPicture, MAX_COLOURS, MAX_SIDE } from "../state/document.js";
import { drawThumbnail } from "./thumbnail.js";
import { columnsFor, createWishes, DITHERS, imageQuery, sizeFor, USUAL } from "./wishes.js";

const WAIT = 120; // ms after the last change of a slider

/** Show the dialog of an image. */
export async function showImage(file, app) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    app.toast(
      `${file.name || "The image"} cannot be shown: it is damaged, or in a format that browsers do ` +
        "not support. Save it as PNG.",
      { error: true },
    );
    return;
  }
  const kept = createWishes(localStorage);
  const wishes = { crop: WHOLE };
  const controls = h("div.stack.image-controls");
  const rest = h("div.stack.image-controls");
  const more = h("details.image-more", {}, h("summary", {}, "More"), rest);
  const set = (settings) => {
    Object.assign(wishes, settings);
    const part = partOf(bitmap, wishes.crop);
    wishes.columns = sizeFor(part.width, part.height, wishes.longest).columns;
    const { inSight, others } = buildControls(wishes, part, preview.later, set);
    fill(controls, inSight);
    fill(rest, others);
    preview.now();
  };
  const preview = createPreview(file, bitmap, wishes, set, app);
  const usual = button("Usual settings", () => set({ ...USUAL, crop: WHOLE }), { text: true, class: "quiet small" });
  const title = (file.name ?? "").replace(/\.[^.]+$/, "");
  const take = async () => {
    const isTaken = await preview.take(title);
    if (isTaken) kept.save(wishes);
    return isTaken;
  };
  set(kept.load()); // before it is shown: the first control gets the focus
  showDialog(
    "Convert an image to a picture",
    [
      h(
        "div.image-grid",
        {},
        preview.element,
        h("div.stack", {}, controls, more, h("div.row", {}, usual)),
      ),
    ],
    [{ label: "Cancel" }, { label: "Apply", primary: true, run: take }],
    { wide: true },
  );
}

/** The image and its picture; an older answer never replaces a newer one. */
function createPreview(file, bitmap, wishes, set, app) {
  const source = h("canvas.preview.image-source", { title: "Drag over a part to use it alone" });
  const target = h("canvas.preview", { role: "img", "aria-label": "Preview of the picture" });
  const note = h("p.small-text.muted", { role: "status" }, "\u00a0"); // keep the height of the line
  const scale = Math.min(1, 320 / Math.max(bitmap.width, bitmap.height));
  source.width = Math.max(1, Math.round(bitmap.width * scale));
  source.height = Math.max(1, Math.round(bitmap.height * scale));
  [target.width, target.height] = [source.width, source.height]; // until it is drawn
  source.setAttribute("aria-hidden", "true");
  const select = (crop) => set({ crop });
  listenToCrop(source, (crop) => drawSource(source, bitmap, crop), select);
  let [timer, call, doc, waiting] = [0, null, null, null];
  const now = async () => {
    call?.abort();
    const mine = (call = new AbortController());
    try {
      const query = imageQuery({ ...wishes, name: file.name });
      drawSource(source, bitmap, wishes.crop);
      const part = await partOfFile(file, bitmap, wishes.crop);
      const found = await app.answers.query(query, part, { signal: mine.signal });
      if (mine !== call) return;
      doc = fromPicture(found);
      drawThumbnail(target, doc, 320);
      const colours = doc.palette.length === 1 ? "one colour" : `${doc.palette.length} colours`;
      note.textContent = `${doc.width} × ${doc.height} cells, ${colours}`;
    } catch (error) {
      if (mine !== call || error.kind === "AbortError") return;
      doc = null;
      note.textContent = error.message;
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (waiting = now()), WAIT);
  };
  return {
    element: h("div.stack.image-previews", {}, source, target, note),
    now: () => (waiting = now()),
    later,
    async take(title) {
      clearTimeout(timer);
      await (timer ? now() : waiting);
      if (!doc) return false;
      app.open({ ...doc, title }, { mode: "draw" });
      return true;
    },
  };
}

// The part of an image that is used: fractions of its sides.

const WHOLE = { left: 0, top: 0, right: 1, bottom: 1 };
const LEAST = 0.02; // a smaller part is a click, which selects the whole image

/** A part in pixels: `{ x, y, width, height }`. */
function partOf({ width, height }, { left, top, right, bottom }) {
  const [x, y] = [Math.floor(left * width), Math.floor(top * height)];
  return {
    x,
    y,
    width: Math.max(1, Math.round(right * width) - x),
    height: Math.max(1, Math.round(bottom * height) - y),
  };
}

/** The file itself, or its part as a PNG. */
async function partOfFile(file, bitmap, crop) {
  const { x, y, width, height } = partOf(bitmap, crop);
  if (width === bitmap.width && height === bitmap.height) return file;
  const canvas = h("canvas", { width, height });
  canvas.getContext("2d").drawImage(bitmap, -x, -y);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** Draw the image, and what is not used of it faintly. */
function drawSource(canvas, bitmap, crop) {
  const { width, height } = canvas;
  const context = canvas.getContext("2d");
  const part = partOf(canvas, crop);
  context.clearRect(0, 0, width, height);
  context.globalAlpha = 0.25;
  context.drawImage(bitmap, 0, 0, width, height);
  context.globalAlpha = 1;
  context.save();
  context.beginPath();
  context.rect(part.x, part.y, part.width, part.height);
  context.clip();
  context.clearRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  context.restore();
}

/** A drag over the image selects a part of it; a click selects the whole image. */
function listenToCrop(canvas, show, select) {
  let from = null;
  const within = (value) => Math.max(0, Math.min(1, value));
  const at = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    return [within((clientX - left) / width), within((clientY - top) / height)];
  };
  canvas.addEventListener("pointerdown", (event) => {
    from = at(event);
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => from && show(between(from, at(event))));
  canvas.addEventListener("pointerup", (event) => {
    if (from) select(between(from, at(event)));
    from = null;
  });
  canvas.addEventListener("pointercancel", () => (from = null));
}

/** The part between two corners. */
function between([x1, y1], [x2, y2]) {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
  return right - left < LEAST || bottom - top < LEAST ? WHOLE : { left, top, right, bottom };
}

/** Fields for the part, in percent from each side, which also work with keys. */
function cropFields(crop, change) {
  const sides = { left: "Left", top: "Top", right: "Right", bottom: "Bottom" };
  const isFar = (side) => side === "right" || side === "bottom";
  const fields = Object.entries(sides).map(([side, label]) => {
    const cut = isFar(side) ? 1 - crop[side] : crop[side];
    const onchange = ({ target }) => {
      const value = Math.max(0, Math.min(0.9, Number(target.value) / 100 || 0));
      const next = { ...crop, [side]: isFar(side) ? 1 - value : value };
      change(next.right - next.left < LEAST || next.bottom - next.top < LEAST ? crop : next);
    };
    const value = String(Math.round(100 * cut));
    const input = h("input", { type: "number", min: "0", max: "90", value, onchange });
    return h("label.field", {}, label, input);
  });
  return h("fieldset.image-crop", {}, h("legend", {}, "Cut off, in percent"), fields);
}

function slider(label, options, value, show, change) {
  const out = h("output.tabular", {}, show(value));
  const input = h("input", {
    type: "range",
    ...options,
    value: String(value),
    "aria-label": label,
    oninput: () => {
      out.textContent = show(Number(input.value));
      change(Number(input.value));
    },
  });
  return h("label.field", {}, h("span.row.spread", {}, label, out), input);
}

function check(label, isOn, change) {
  return h(
    "label.check",
    {},
    h("input", {
      type: "checkbox",
      checked: isOn,
      onchange: (event) => change(event.target.checked),
    }),
    label,
  );
}

function choice(label, options, chosen, change) {
  const parts = options.map(([value, text]) =>
    h("option", { value, selected: value === chosen }, text),
  );
  const onchange = (event) => change(event.target.value);
  const select = h("select", { onchange, "aria-label": label }, parts);
  return h("label.field", {}, h("span", {}, label), select);
}

/** The controls of a part of the image: `{ inSight, others }`. */
function buildControls(wishes, part, later, reset) {
  const set = (key) => (value) => {
    wishes[key] = value;
    later();
  };
  const tall = part.height / part.width;
  const { least, most } = columnsFor(part.width, part.height);
  const percent = (value) => `${Math.round(value * 100)} %`;
  const threshold = slider(
    "Threshold: fill darker areas",
    { min: 0.02, max: 0.98, step: 0.02 },
    wishes.threshold ?? 0.5,
    percent,
    (value) => {
      automatic.querySelector("input").checked = false;
      set("threshold")(value);
    },
  );
  const automatic = check("Find the threshold", wishes.threshold === null, (isOn) =>
    set("threshold")(isOn ? null : Number(threshold.querySelector("input").value)),
  );
  const invert = check("Fill light areas", wishes.invert, set("invert"));
  const mono = h("div.stack", {}, threshold, automatic, invert);
  // Keep the space, so that the slider does not move away from the pointer.
  const showMono = () => mono.classList.toggle("image-unused", wishes.colours > 1);
  showMono();
  const columns = (value) => {
    wishes.longest = Math.max(value, Math.min(MAX_SIDE, Math.round(value * tall)));
    set("columns")(value);
  };
  const colours = (value) => {
    set("colours")(value);
    showMono();
  };
  const inSight = [
    slider("Columns", { min: least, max: most, step: 1 }, wishes.columns, String, columns),
    mono,
  ];
  const others = [
    slider("Colours", { min: 1, max: MAX_COLOURS, step: 1 }, wishes.colours, String, colours),
    slider(
      "Emphasis of outlines",
      { min: 0, max: 1, step: 0.05 },
      wishes.edges,
      percent,
      set("edges"),
    ),
    choice("Dithering", DITHERS, wishes.dither, set("dither")),
    cropFields(wishes.crop, (crop) => reset({ crop })),
  ];
  return { inSight, others };
}
