// The strip of tools beside the board: one stop of the Tab key, arrow keys inside.

import { button, h } from "../ui/dom.js";
import { COMMANDS, TOOLS } from "./commands.js";

const GROUPS = [
  ["undo", "redo"],
  ["mirrorAcross", "mirrorDown", "rotate", "invert", "crop", "resize", "clear"],
  ["help"],
];

/** Fills the toolbar and follows the state. */
export function mountToolbar(element, app) {
  const { store } = app;
  const choose = (tool) => () => store.dispatch({ type: "tools/tool", tool });
  const tools = TOOLS.map(([tool, label, keys, icon]) =>
    button(label, choose(tool), { icon, keys, class: "quiet", dataset: { tool } }),
  );
  const commands = new Map();
  const groups = GROUPS.map((names) =>
    h(
      "div.tool-group",
      { role: "group" },
      names.map((name) => {
        const { label, icon, keys, run } = COMMANDS[name];
        const item = button(label, () => run(app), { icon, keys: keys[0], class: "quiet" });
        commands.set(name, item);
        return item;
      }),
    ),
  );
  // Undo and redo stand first: on a phone the end of the strip is out of sight.
  const [history, ...others] = groups;
  element.append(
    history,
    h("div.tool-group", { role: "group", "aria-label": "Tools" }, tools),
    ...others,
  );
  const all = [...element.querySelectorAll("button")];
  all.forEach((item, at) => (item.tabIndex = at ? -1 : 0));
  element.addEventListener("keydown", (event) => rove(event, all));
  const show = ({ tools: slice, history: { past, future } }) => {
    for (const item of tools) item.setAttribute("aria-pressed", item.dataset.tool === slice.tool);
    commands.get("undo").setAttribute("aria-disabled", past.length === 0);
    commands.get("redo").setAttribute("aria-disabled", future.length === 0);
  };
  store.subscribe((state, before) => {
    if (state.tools !== before.tools || state.history !== before.history) show(state);
  });
  show(store.get());
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
  for (const item of all) item.tabIndex = -1;
  all[to].tabIndex = 0;
  all[to].focus();
}
