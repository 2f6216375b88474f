// The strip of tools next to the board: one stop of the Tab key, arrow keys inside.

import { button, h } from "../ui/dom.js";
import { COMMANDS, TOOLS } from "./commands.js";

const GROUPS = [
  ["undo", "redo"],
  ["mirrorAcross", "mirrorDown", "rotate", "invert", "crop", "resize", "clear"],
  ["help"],
];

/** Fill the toolbar and update it with the state. */
export function mountToolbar(element, app) {
  const { store } = app;
  const tools = TOOLS.map(([tool, label, keys, icon]) => {
    const choose = () => store.dispatch({ type: "tools/tool", tool });
    return button(label, choose, { icon, keys, class: "quiet", dataset: { tool } });
  });
  const commands = new Map(GROUPS.flat().map((name) => [name, commandButton(name, app)]));
  const group = (names) =>
    h(
      "div.tool-group",
      { role: "group" },
      names.map((name) => commands.get(name)),
    );
  const [history, forms, help] = GROUPS.map(group);
  const drawing = h("div.tool-group", { role: "group", "aria-label": "Tools" }, tools);
  // Undo and redo come first: on a phone the end of the strip is not visible.
  element.append(history, drawing, forms, help);
  const all = [...element.querySelectorAll("button")];
  const visible = () => all.filter((item) => !item.closest("[hidden]"));
  stopAt(all[0], all);
  element.addEventListener("keydown", (event) => rove(event, visible()));
  // If a click gives no focus (Safari), keys still act on the tools.
  element.addEventListener("click", ({ target }) => target.closest("button")?.focus());
  const show = ({ doc, draft, tools: slice, history: { past, future } }) => {
    // A puzzle of clues alone cannot be drawn on, but has steps to undo.
    drawing.hidden = forms.hidden = doc.kind !== "picture";
    if (!visible().some((item) => item.tabIndex === 0)) stopAt(all[0], all);
    for (const item of tools) item.setAttribute("aria-pressed", item.dataset.tool === slice.tool);
    commands.get("undo").setAttribute("aria-disabled", past.length === 0 && !draft);
    commands.get("redo").setAttribute("aria-disabled", future.length === 0);
  };
  store.subscribe((state, before) => {
    if (
      state.tools !== before.tools ||
      state.history !== before.history ||
      Boolean(state.draft) !== Boolean(before.draft) ||
      state.doc.kind !== before.doc.kind
    )
      show(state);
  });
  show(store.get());
}

function commandButton(name, app) {
  const { label, icon, keys, run } = COMMANDS[name];
  return button(label, () => run(app), { icon, keys: keys[0], class: "quiet" });
}

/** Make the Tab key stop at one of the buttons. */
function stopAt(one, all) {
  for (const item of all) item.tabIndex = item === one ? 0 : -1;
}

function rove(event, all) {
  const at = all.indexOf(document.activeElement);
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const to =
    event.key === "Home"
      ? 0
      : event.key === "End"
        ? all.length - 1
        : step && (at + step + all.length) % all.length;
  if (to === undefined) return;
  event.preventDefault();
  stopAt(all[to], all);
  all[to].focus();
}
