// An image on its way to a picture: what it will be is seen while its size and colours are chosen.

import { h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";
import { fromPicture, MAX_COLOURS, MAX_SIDE } from "../state/document.js";
import { drawThumbnail } from "./thumbnail.js";

const WAIT = 120; // ms after the last change of a slider
const DITHERS = [
  ["", "none"],
  ["floyd-steinberg", "Floyd-Steinberg, error diffusion"],
  ["bayer", "Bayer, a regular 4 x 4 pattern"],
];

/**
 * Sizes for an image: its longer side at most `most` cells, its shape kept.
 *
 * @returns {{columns: number, rows: number}}
 */
export function sizeFor(width, height, most = 30) {
  const by = most / Math.max(width, height);
  // Pixel art is taken as it is, a pixel a cell.
  if (by >= 1) return { columns: width, rows: height };
  return {
    columns: Math.max(1, Math.round(width * by)),
    rows: Math.max(1, Math.round(height * by)),
  };
}

/** The parameters of the question `image`. */
export function imageQuery({ columns, colours, threshold, edges, invert, dither, name = "" }) {
  const query = new URLSearchParams({ columns, colours, edges });
  if (dither) query.set("dither", dither);
  if (name) query.set("name", name);
  if (colours === 1 && threshold !== null) query.set("threshold", threshold);
  if (colours === 1 && invert) query.set("invert", "true");
  return `image?${query}`;
}

/** Shows the dialog of an image. */
export async function showImage(file, app) {
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    app.toast(
      `${file.name || "The image"} cannot be shown: it is damaged, or of a kind that browsers do ` +
        "not know. Save it as PNG.",
      { error: true },
    );
    return;
  }
  const wishes = {
    ...sizeFor(bitmap.width, bitmap.height),
    colours: 1,
    threshold: null,
    edges: 0.5,
    invert: false,
    dither: "",
  };
  const preview = createPreview(file, bitmap, wishes, app);
  const controls = buildControls(wishes, bitmap, preview.later);
  const title = (file.name ?? "").replace(/\.[^.]+$/, "");
  showDialog(
    "Make a picture of an image",
    [h("div.image-grid", {}, preview.element, controls)],
    [{ label: "Cancel" }, { label: "Take it", primary: true, run: () => preview.take(title) }],
    { wide: true },
  );
  preview.now();
}

/** The image and what becomes of it; an older answer never replaces a newer one. */
function createPreview(file, bitmap, wishes, app) {
  const source = h("canvas.preview");
  const target = h("canvas.preview", { role: "img", "aria-label": "The picture as it will be" });
  const note = h("p.small-text.muted", { role: "status" });
  const scale = Math.min(1, 320 / Math.max(bitmap.width, bitmap.height));
  source.width = Math.max(1, Math.round(bitmap.width * scale));
  source.height = Math.max(1, Math.round(bitmap.height * scale));
  source.setAttribute("aria-hidden", "true");
  source.getContext("2d").drawImage(bitmap, 0, 0, source.width, source.height);
  let [timer, call, doc, waiting] = [0, null, null, null];
  const now = async () => {
    call?.abort();
    const mine = (call = new AbortController());
    try {
      const query = imageQuery({ ...wishes, name: file.name });
      const found = await app.answers.ask(query, file, { signal: mine.signal });
      if (mine !== call) return;
      doc = fromPicture(found);
      drawThumbnail(target, doc, 320);
      const colours = doc.palette.length === 1 ? "one colour" : `${doc.palette.length} colours`;
      note.textContent = `${doc.width} x ${doc.height} cells, ${colours}`;
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
    element: h("div.stack", {}, source, target, note),
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

function choice(label, options, change) {
  const parts = options.map(([value, text]) => h("option", { value }, text));
  const onchange = (event) => change(event.target.value);
  const select = h("select", { onchange, "aria-label": label }, parts);
  return h("label.field", {}, h("span", {}, label), select);
}

function buildControls(wishes, bitmap, later) {
  const set = (key) => (value) => {
    wishes[key] = value;
    later();
  };
  const tall = Math.max(1, bitmap.height / bitmap.width);
  const most = Math.max(5, Math.min(MAX_SIDE, Math.floor(MAX_SIDE / tall)));
  const percent = (value) => `${Math.round(value * 100)} %`;
  const threshold = slider(
    "Threshold: fill what is darker",
    { min: 0.02, max: 0.98, step: 0.02 },
    0.5,
    percent,
    set("threshold"),
  );
  threshold.querySelector("input").disabled = true;
  const automatic = check("Find the threshold", true, (isOn) => {
    const input = threshold.querySelector("input");
    input.disabled = isOn;
    set("threshold")(isOn ? null : Number(input.value));
  });
  const invert = check("Fill what is light", false, set("invert"));
  const mono = h("div.stack", {}, automatic, threshold, invert);
  const colours = slider("Colours", { min: 1, max: MAX_COLOURS, step: 1 }, 1, String, (value) => {
    mono.hidden = value > 1;
    set("colours")(value);
  });
  return h(
    "div.stack.image-controls",
    {},
    slider("Columns", { min: 2, max: most, step: 1 }, wishes.columns, String, set("columns")),
    colours,
    slider(
      "Outlines made to stand out",
      { min: 0, max: 1, step: 0.05 },
      wishes.edges,
      percent,
      set("edges"),
    ),
    choice("Dithering", DITHERS, set("dither")),
    mono,
  );
}
