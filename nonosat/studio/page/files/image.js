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
  const wishes = {};
  const preview = createPreview(file, bitmap, wishes, app);
  const controls = h("div.stack.image-controls");
  const set = (settings) => {
    const { columns } = sizeFor(bitmap.width, bitmap.height, settings.longest);
    Object.assign(wishes, settings, { columns });
    fill(controls, buildControls(wishes, bitmap, preview.later));
    preview.now();
  };
  const usual = button("Usual settings", () => set(USUAL), { text: true, class: "quiet small" });
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
        h("div.stack", {}, controls, h("div.row", {}, usual)),
      ),
    ],
    [{ label: "Cancel" }, { label: "Apply", primary: true, run: take }],
    { wide: true },
  );
}

/** The image and its picture; an older answer never replaces a newer one. */
function createPreview(file, bitmap, wishes, app) {
  const source = h("canvas.preview");
  const target = h("canvas.preview", { role: "img", "aria-label": "Preview of the picture" });
  const note = h("p.small-text.muted", { role: "status" }, "\u00a0"); // keep the height of the line
  const scale = Math.min(1, 320 / Math.max(bitmap.width, bitmap.height));
  source.width = Math.max(1, Math.round(bitmap.width * scale));
  source.height = Math.max(1, Math.round(bitmap.height * scale));
  [target.width, target.height] = [source.width, source.height]; // until it is drawn
  source.setAttribute("aria-hidden", "true");
  source.getContext("2d").drawImage(bitmap, 0, 0, source.width, source.height);
  let [timer, call, doc, waiting] = [0, null, null, null];
  const now = async () => {
    call?.abort();
    const mine = (call = new AbortController());
    try {
      const query = imageQuery({ ...wishes, name: file.name });
      const found = await app.answers.query(query, file, { signal: mine.signal });
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

function buildControls(wishes, bitmap, later) {
  const set = (key) => (value) => {
    wishes[key] = value;
    later();
  };
  const tall = bitmap.height / bitmap.width;
  const { least, most } = columnsFor(bitmap.width, bitmap.height);
  const percent = (value) => `${Math.round(value * 100)} %`;
  const threshold = slider(
    "Threshold: fill darker areas",
    { min: 0.02, max: 0.98, step: 0.02, disabled: wishes.threshold === null },
    wishes.threshold ?? 0.5,
    percent,
    set("threshold"),
  );
  const automatic = check("Find the threshold", wishes.threshold === null, (isOn) => {
    const input = threshold.querySelector("input");
    input.disabled = isOn;
    set("threshold")(isOn ? null : Number(input.value));
  });
  const invert = check("Fill light areas", wishes.invert, set("invert"));
  const mono = h("div.stack", {}, automatic, threshold, invert);
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
  return [
    slider("Columns", { min: least, max: most, step: 1 }, wishes.columns, String, columns),
    slider("Colours", { min: 1, max: MAX_COLOURS, step: 1 }, wishes.colours, String, colours),
    slider(
      "Emphasis of outlines",
      { min: 0, max: 1, step: 0.05 },
      wishes.edges,
      percent,
      set("edges"),
    ),
    choice("Dithering", DITHERS, wishes.dither, set("dither")),
    mono,
  ];
}
