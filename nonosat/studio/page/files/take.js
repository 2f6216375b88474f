// Export and sharing: files of every format, pictures, sheets, a text to send, a page to play.

import { button, h } from "../ui/dom.js";
import { copyText } from "../ui/copy.js";
import { showDialog } from "../ui/dialog.js";
import { save } from "../ui/save.js";
import { toSent } from "../state/document.js";
import { shareText } from "../state/share.js";
import { isCalledOff } from "../answers/errors.js";
import { withProgress } from "./progress.js";
import { pngOf } from "./thumbnail.js";

/** The menu of a document; `about` is the answer to that question, or null. */
export function takeAwayItems(app, about) {
  const { doc } = app.store.get();
  const isPicture = doc.kind === "picture";
  const isNonogram = (doc.family ?? "nonogram") === "nonogram";
  const take = (label, question, wishes, hint) => {
    const why = app.answers.can(question);
    return {
      label,
      hint: why ? "needs the server" : hint,
      disabled: Boolean(why),
      run: () => takeAway(app, question, wishes),
    };
  };
  return [
    { title: "Send" },
    { label: "Share text…", hint: "whole puzzle", run: () => showShare(app) },
    take("Page to play", "player", {}, ".html"),
    { title: "Print" },
    take("Sheet with solution page", "sheet", { kind: "pdf", solution: true }, ".pdf"),
    take("Sheet", "sheet", { kind: "pdf" }, ".pdf"),
    take("Sheet", "sheet", { kind: "svg" }, ".svg"),
    take("Sheet", "sheet", { kind: "png" }, ".png"),
    ...(isPicture
      ? [
          { title: "Picture" },
          { label: "Picture, large", hint: ".png", run: () => takePng(doc, 2000) },
          { label: "Picture, one pixel per cell", hint: ".png", run: () => takePng(doc, 1) },
        ]
      : []),
    { title: "Prove" },
    take("Certificate", "certificate", {}, ".zip"),
    ...(isNonogram || about ? [{ title: "Formats" }] : []),
    ...(about?.formats ?? [])
      .filter(({ writes, families }) => writes && families.includes(doc.family ?? "nonogram"))
      .map(({ name, suffix }) => take(name, "export", { format: name }, suffix)),
  ];
}

async function takePng(doc, most) {
  save(await pngOf(doc, most), `${doc.title || "picture"}.png`);
}

/** Request a file and save it; if a command belongs to it, show the command. */
async function takeAway(app, question, wishes) {
  const body = { puzzle: toSent(app.store.get().doc), ...wishes };
  try {
    const blob = await withProgress(app, "Creating the file …", (signal) =>
      app.answers.query(question, body, { signal }),
    );
    save(blob, blob.name || "puzzle");
    if (blob.command) showCommand(app, blob.name, blob.command);
    else app.announce(`Saved ${blob.name}`);
  } catch (error) {
    if (isCalledOff(error)) return;
    const { format } = wishes;
    const what = format ? `The format ${format} cannot hold this` : "This file cannot be created";
    app.toast(`${what}: ${error.message}`, { error: true });
  }
}

function copyRow(app, text, label) {
  const field = h("textarea", {
    readonly: true,
    rows: String(Math.min(6, Math.ceil(text.length / 56))),
    "aria-label": label,
    class: "share-text",
    onfocus: (event) => event.target.select(),
  });
  field.value = text;
  const copy = button("Copy", () => copyText(text, app), {
    icon: "copy",
    text: true,
    class: "primary",
  });
  return [field, h("div.row", {}, copy)];
}

function showCommand(app, name, command) {
  showDialog("A certificate", [
    h(
      "p",
      {},
      `${name} proves the verdict. This command checks it without trusting a solver.`,
    ),
    ...copyRow(app, command, "Command"),
  ]);
}

async function showShare(app) {
  const { doc } = app.store.get();
  const text = await shareText(doc);
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  const address = isLocal ? null : `${location.origin}${location.pathname}#p=${text}`;
  showDialog("Share the puzzle", [
    h(
      "p",
      {},
      "This text holds the whole puzzle. Paste it into a studio to play it; nonosat " +
        "studio TEXT opens it, too.",
    ),
    ...copyRow(app, address ?? text, address ? "Address of the puzzle" : "Share text"),
    h(
      "p.muted.small-text",
      {},
      `${(address ?? text).length} characters. ` +
        (doc.kind === "picture" ? "The text contains the solution." : ""),
    ),
  ]);
}
