// The panel of the drawing: its palette; for a puzzle without picture fields for its clues.

import { button, fill, h } from "../ui/dom.js";
import { isPlain } from "../board/theme.js";
import { namesOfPalette } from "../state/colours.js";
import { MAX_COLOURS } from "../state/document.js";
import { recoloured, usedColours, withoutColour } from "../state/palette.js";
import { mountClueEditor } from "./clues.js";
import { COMMANDS } from "./commands.js";
import { mountLoopEditor } from "./loop_clues.js";

/** Fill the panel and update it with the state. */
export function mountDrawing(element, app) {
  const palette = h("div.stack");
  const clues = h("div.stack");
  const loop = h("div.stack");
  element.append(palette, clues, loop);
  const editors = [mountClueEditor(clues, app), mountLoopEditor(loop, app)];
  const show = (state) => {
    const isPicture = state.doc.kind === "picture";
    palette.hidden = !isPicture;
    // An open picker must stay in the page, or its end is not reported.
    if (isPicture && state.draft && isPicking(palette)) showInks(palette, state.doc);
    else if (isPicture) showPalette(palette, app, state);
    for (const editor of editors) editor.show(state);
  };
  app.store.subscribe((state, before) => {
    if (state.mode !== "draw") return;
    const { doc, tools } = before;
    const isSame =
      doc.palette === state.doc.palette &&
      doc.background === state.doc.background &&
      doc.kind === state.doc.kind;
    if (
      isSame &&
      tools.colour === state.tools.colour &&
      tools.tool === state.tools.tool &&
      before.mode === "draw" &&
      tools.letters === state.tools.letters &&
      !isRecoloured(before, state) &&
      (state.doc.kind === "picture" || (state.doc === doc && state.verdict === before.verdict))
    )
      return;
    show(state);
  });
  show(app.store.get());
}

const isPicking = (element) => Boolean(element.querySelector("[data-picking]"));

/** True if a draft that changed colours has ended, after which their names are updated. */
function isRecoloured({ draft }, state) {
  const { palette, background } = state.doc;
  return (
    Boolean(draft) &&
    !state.draft &&
    (draft.palette !== palette || draft.background !== background)
  );
}

/** The colours of the board and of empty cells, for CSS. */
const inksOf = (doc) =>
  isPlain(doc) ? ["var(--board-paper)", "var(--board-ink)"] : [doc.background, ...doc.palette];

/** Update the colours of the swatches in place. */
function showInks(element, doc) {
  for (const [index, colour] of inksOf(doc).entries()) {
    const face = element.querySelector(`[data-part="swatch-${index}"] > span`);
    if (face) face.style.background = colour;
  }
}

function showPalette(element, app, state) {
  const { doc, tools } = state;
  const focused = element.contains(document.activeElement)
    ? document.activeElement.dataset.part
    : null;
  const names = namesOfPalette(doc.palette);
  const isEmpty = tools.tool === "eraser";
  const chosen = isEmpty ? 0 : tools.colour;
  const swatches = inksOf(doc).map((ink, index) =>
    swatch(app, index, ink, names[index - 1], index === chosen),
  );
  const isFull = doc.palette.length >= MAX_COLOURS;
  const add = button("Add a colour", () => COMMANDS.addColour.run(app), {
    icon: "plus",
    keys: "A",
    class: "swatch-add",
    dataset: { part: "add" },
  });
  add.disabled = isFull;
  fill(
    element,
    h(
      "div.row.spread",
      {},
      h("h2.panel-title", {}, "Colours"),
      doc.palette.length > 1 ? lettersToggle(app, tools.letters) : null,
    ),
    h(
      "div.swatches",
      {
        role: "radiogroup",
        "aria-label": "Colour to draw with",
        onkeydown: (event) => walk(event),
      },
      swatches,
      add,
    ),
    editRow(app, doc, chosen, isEmpty ? "empty cells" : names[chosen - 1]),
  );
  element.querySelector(`[data-part="${focused}"]`)?.focus();
}

function swatch(app, index, colour, name, isChosen) {
  const choose = () =>
    app.store.dispatch(
      index ? { type: "tools/colour", colour: index } : { type: "tools/tool", tool: "eraser" },
    );
  const label = index ? `Colour ${index}, ${name}` : "Empty";
  return h(
    "button.swatch",
    {
      type: "button",
      role: "radio",
      "aria-checked": isChosen ? "true" : "false",
      "aria-label": label,
      tabindex: isChosen ? "0" : "-1",
      title: index < 10 ? `${label} (${index})` : label,
      onclick: choose,
      dataset: { part: `swatch-${index}` },
    },
    h("span", { class: index ? "" : "swatch-empty", style: { background: colour } }),
    h("small", {}, index < 10 ? String(index) : ""),
  );
}

function walk(event) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...event.currentTarget.querySelectorAll("[role=radio]")];
  const to = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
  to.focus();
  to.click();
}

function lettersToggle(app, isOn) {
  return button("Letters", () => app.store.dispatch({ type: "tools/letters" }), {
    class: "small quiet",
    "aria-pressed": isOn ? "true" : "false",
    title: "Letters on colours, for colour-blind readers (N)",
    dataset: { part: "letters" },
  });
}

/** The chosen colour: its appearance, and the button that removes it. */
function editRow(app, doc, index, name) {
  const value = index ? doc.palette[index - 1] : doc.background;
  const picker = h("input", {
    type: "color",
    value,
    "aria-label": `Appearance of ${name}`,
    dataset: { part: "picker" },
    // While the picker is open the picture is updated; closing it makes this a step.
    oninput: ({ target }) => {
      target.dataset.picking = "";
      const doc = recoloured(app.store.get().doc, index, target.value);
      app.store.dispatch({ type: "draft", doc });
    },
    onchange: ({ target }) => {
      delete target.dataset.picking;
      app.store.dispatch({ type: "commit" });
    },
  });
  const remove = button("Remove", () => removeColour(app, index, name), {
    class: "small quiet",
    dataset: { part: "remove" },
  });
  const inDark = index ? "light in the dark theme" : "dark in the dark theme";
  return h(
    "div.row.spread",
    {},
    h("label.row", {}, picker, h("span", {}, `${name[0].toUpperCase()}${name.slice(1)}`)),
    isPlain(doc) ? h("span.in-dark.muted.small-text", {}, inDark) : null,
    index && doc.palette.length > 1 ? remove : null,
  );
}

function removeColour(app, index, name) {
  const { doc } = app.store.get();
  const count = usedColours(doc)[index];
  app.store.dispatch({ type: "edit", doc: withoutColour(doc, index) });
  const action = { label: "Undo", run: () => app.store.dispatch({ type: "undo" }) };
  if (count)
    app.toast(
      `Removed ${name}; ${count === 1 ? "its cell is" : `its ${count} cells are`} empty now.`,
      { action },
    );
}
