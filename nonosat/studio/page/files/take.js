// Export: a link, files of every format, pictures, sheets, a page to play.

import { showDialog } from "../ui/dialog.js";
import { h } from "../ui/dom.js";
import { save } from "../ui/save.js";
import { fileNameOf, toSent } from "../state/document.js";
import { isCalledOff } from "../answers/errors.js";
import { printSheet } from "../print/index.js";
import { withProgress } from "./progress.js";
import { copyLink, copyRow, showShare } from "./share.js";
import { pngOf } from "./thumbnail.js";

/** The menu of a document; `about` is the answer to that question, or null. */
export function takeAwayItems(app, about) {
  const { doc } = app.store.get();
  const family = doc.family ?? "nonogram";
  const isPicture = doc.kind === "picture";
  const { address } = app.answers;
  const take = (label, question, wishes, hint, detail) =>
    app.answers.can(question, family) && {
      label,
      hint,
      detail,
      run: () => takeAway(app, question, wishes),
    };
  const formats = (about?.formats ?? []).filter(
    ({ writes, families }) => writes && families.includes(family),
  );
  const groups = {
    Send: [
      address && { label: "Copy link", run: () => copyLink(app) },
      {
        label: address ? "Link, QR code, text…" : "Share text…",
        hint: "whole puzzle",
        run: () => showShare(app),
      },
      take("Page to play", "player", {}, ".html"),
    ],
    Print: [
      { label: "Print…", hint: "Ctrl+P", run: () => printSheet() },
      isPicture && {
        label: "Print with solution page…",
        run: () => printSheet({ withSolution: true }),
      },
      take("Sheet with solution page", "sheet", { kind: "pdf", solution: true }, ".pdf"),
      take("Sheet", "sheet", { kind: "pdf" }, ".pdf"),
      take("Sheet", "sheet", { kind: "svg" }, ".svg"),
      take("Sheet", "sheet", { kind: "png" }, ".png"),
    ],
    Picture: isPicture && [
      { label: "Picture, large", hint: ".png", run: () => takePng(doc, 2000) },
      { label: "Picture, one pixel per cell", hint: ".png", run: () => takePng(doc, 1) },
    ],
    Prove: [take("Certificate", "certificate", {}, ".zip")],
    Formats: formats.map(({ name, suffix, summary }) =>
      take(name, "export", { format: name }, suffix, summary),
    ),
  };
  return Object.entries(groups).flatMap(([title, items]) => {
    const shown = items && items.filter(Boolean);
    return shown && shown.length ? [{ title }, ...shown] : [];
  });
}

async function takePng(doc, most) {
  save(await pngOf(doc, most), fileNameOf(doc, ".png"));
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
