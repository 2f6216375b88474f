// All keys, in a dialog.

import { h } from "../ui/dom.js";
import { showDialog } from "../ui/dialog.js";

const BOARD = [
  ["Arrow keys", "Move the cursor; with Ctrl five cells, Home and End to the edge"],
  ["Space or Enter", "Draw at the cursor; begin and end a line, a rectangle or a selection"],
  ["Shift+Arrow keys", "Draw along, or stretch the selection"],
  ["Shift+Space", "Erase at the cursor"],
  ["Escape", "Cancel the current action; select nothing"],
  ["0 to 9", "Empty, or a colour"],
  ["Ctrl+C, Ctrl+X, Ctrl+V", "Copy, cut, paste; images and puzzle texts are pasted, too"],
  ["Ctrl+O", "Open a file"],
  ["Ctrl+P", "Print a sheet of the puzzle"],
];

const POINTER = [
  ["Other button, Shift", "Erase"],
  ["A touch on a filled cell", "Removes its colour"],
  ["Two fingers, Ctrl+wheel", "Zoom"],
  ["Wheel, middle button", "Move a board that is larger than its area"],
];

function keys(text) {
  const words = text.split(/( or | to |, )/);
  return words.map((word) => (/^( or | to |, )$/.test(word) ? word : h("kbd.kbd", {}, word)));
}

const table = (title, rows) =>
  h(
    "section.stack",
    {},
    h("h3", {}, title),
    h(
      "dl.keys",
      {},
      rows.map(([key, what]) => [h("dt", {}, keys(key)), h("dd", {}, what)]),
    ),
  );

/** Show the keys of the mode draw: its tools and commands, as in `commands.js`. */
export function showHelp(allTools, allCommands) {
  const tools = allTools.map(([, label, key]) => [key, label]);
  const commands = Object.values(allCommands)
    .filter(({ keys: some }) => some.length)
    .map((command) => [command.keys.join(" or "), command.label]);
  showDialog(
    "Keys",
    [
      h("p.muted", {}, "Letters, digits and signs work where the board or its tools are in focus."),
      h(
        "div.help-grid",
        {},
        table("On the board", BOARD),
        table("Tools", tools),
        table("Commands", commands),
        table("Mouse and touch", POINTER),
      ),
    ],
    [],
    { wide: true },
  );
  return true;
}
