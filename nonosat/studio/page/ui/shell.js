// The frame: title, modes, theme, connection, and the visible elements of each mode.

import { mountConnection } from "./connection.js";
import { textOfField } from "../state/document.js";
import { followHistory } from "./back.js";
import { button } from "./dom.js";
import { themeButton } from "./theme.js";
import { mountZoom } from "./zoom.js";

const MODES = { draw: "Draw", explain: "Explain", play: "Play" };
const element = (id) => document.getElementById(id);

/** Build the header and update it with the state. */
export function mountShell(app) {
  const { store } = app;
  const modes = Object.entries(MODES).map(([mode, label]) =>
    button(label, () => store.dispatch({ type: "mode", mode }), { dataset: { mode } }),
  );
  element("modes").append(...modes);
  element("home").addEventListener("click", () =>
    store.dispatch({ type: "mode", mode: "gallery" }),
  );
  element("bar-end").append(themeButton());
  followHistory(app, () => isFocusLost() && element("home").focus());
  mountZoom(element("zoom"), app);
  element("zoom").append(foldButton());
  mountTitle(app);
  const show = (state) => showMode(state, modes, app);
  store.subscribe((state, before) => {
    if (state.mode !== before.mode || state.doc !== before.doc) show(state);
    if (state.mode !== before.mode) app.announce(MODES[state.mode] ?? "Gallery");
    if (before.mode === "gallery" && state.mode !== "gallery") requestAnimationFrame(giveFocus);
  });
  const giveFocus = () => isFocusLost() && app.board.focus();
  show(store.get());
  mountConnection(element("lost"), app);
}

/** On narrow pages: folds the sheet of panels to its first lines, so that the board has the screen. */
function foldButton() {
  const { dataset } = document.body;
  const toggle = () => {
    const isFolded = dataset.panels !== "folded";
    if (isFolded) dataset.panels = "folded";
    else delete dataset.panels;
    item.setAttribute("aria-pressed", String(isFolded));
  };
  const item = button("Fold the panels", toggle, {
    icon: "down",
    class: "small quiet only-narrow",
    "aria-pressed": "false",
  });
  return item;
}

/** True if the focused element is hidden now. */
function isFocusLost() {
  if (navigator.userActivation?.hasBeenActive === false) return false; // the page came so
  const { activeElement, body } = document;
  return activeElement === body || activeElement.getClientRects().length === 0;
}

function showMode(state, modes, app) {
  document.body.dataset.mode = state.mode;
  const isGallery = state.mode === "gallery";
  element("gallery").hidden = !isGallery;
  element("table").hidden = isGallery;
  element("modes").hidden = isGallery;
  element("title").hidden = isGallery;
  element("tools").hidden = state.mode !== "draw";
  for (const item of modes) {
    item.setAttribute("aria-pressed", item.dataset.mode === state.mode);
    item.hidden = item.dataset.mode === "explain" && !app.answers.can("explain", state.doc.family);
  }
  for (const panel of document.querySelectorAll("[data-modes]")) {
    const { modes: named, question } = panel.dataset;
    const isAnswered = !question || app.answers.can(question, state.doc.family);
    panel.hidden = !named.split(" ").includes(state.mode) || !isAnswered;
  }
  const field = element("title");
  if (textOfField(field.value) !== state.doc.title) field.value = state.doc.title;
  element("heading").textContent = `${MODES[state.mode] ?? ""}: ${state.doc.title || "Untitled"}`;
  document.title = isGallery
    ? "nonosat studio"
    : `${state.doc.title || "Untitled"} - nonosat studio`;
}

/** The title is typed in the bar; a run of typing is one step of history. */
function mountTitle(app) {
  const field = element("title");
  const { store } = app;
  let isTyped = false; // true if the title was typed here
  const type = () => {
    const { doc } = store.get();
    const title = textOfField(field.value);
    if (title === doc.title) return;
    isTyped = true;
    store.dispatch({ type: "draft", doc: { ...doc, title } });
  };
  const commit = () => {
    if (isTyped) store.dispatch({ type: "commit" });
    isTyped = false;
    field.value = store.get().doc.title;
  };
  field.addEventListener("input", type);
  field.addEventListener("change", commit);
  field.addEventListener("blur", commit);
  // A stroke begins before the field loses the focus, and is a separate step.
  document.addEventListener("pointerdown", () => isTyped && commit(), true);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") field.blur();
  });
}
