// Sharing: a link to the page that opens a puzzle, its QR code, and the same as a text.

import { button, fill, h } from "../ui/dom.js";
import { copyText } from "../ui/copy.js";
import { showDialog } from "../ui/dialog.js";
import { shareText } from "../state/share.js";

const MOST_SCANNED = 1000; // characters of a link whose code cameras still read from a screen

/** The link of a document, at the address of a page that others can open. */
export const linkOf = async (doc, address) => `${address}#${await shareText(doc)}`;

/** True if the text of a document holds its solution. */
const isRevealing = (doc) => doc.kind === "picture" || Boolean(doc.puzzle.goal);

/** Copy the link of the open document. */
export async function copyLink(app) {
  const { doc } = app.store.get();
  const solution = isRevealing(doc) ? " The text contains the solution." : "";
  await copyText(await linkOf(doc, app.answers.address), app, `Link copied.${solution}`);
}

/** Show the link with its code, and the text; only the text if others cannot open this page. */
export async function showShare(app) {
  const { doc } = app.store.get();
  const { address } = app.answers;
  const text = await shareText(doc);
  const link = address && (await linkOf(doc, address));
  const words = "The text contains the solution.";
  const revealing = isRevealing(doc) && h("p.muted.small-text", {}, words);
  showDialog("Share the puzzle", [
    link ? linkParts(app, link, text, revealing) : textParts(app, text, revealing),
  ]);
}

function linkParts(app, link, text, revealing) {
  const code = h("div.share-code");
  if (link.length <= MOST_SCANNED) showCode(code, link);
  return [
    h("p", {}, "The link opens the puzzle in Play, with the picture hidden."),
    ...copyRow(app, link, "Link", "Copy link"),
    revealing,
    code,
    folded("As a text", textParts(app, text, null)),
    folded("On a web page", elementParts(app, text)),
  ];
}

const folded = (summary, parts) =>
  h("details", {}, h("summary", {}, summary), h("div.stack", {}, parts));

/** The element that plays the puzzle on another page, with the player of this page's folder. */
function elementParts(app, text) {
  const player = new URL("player.js", app.answers.address).href;
  const lines = [
    `<script type="module" src="${player}"></script>`,
    `<nonosat-board puzzle="${text}"></nonosat-board>`,
  ];
  const words = "These two lines play the puzzle in any page.";
  return [h("p", {}, words), ...copyRow(app, lines.join("\n"), "HTML", "Copy HTML")];
}

const textParts = (app, text, revealing) => [
  h(
    "p",
    {},
    "This text holds the whole puzzle. Paste it into a studio to play it; nonosat studio TEXT " +
      "opens it, too.",
  ),
  ...copyRow(app, text, "Share text", "Copy text"),
  revealing,
];

async function showCode(element, link) {
  const { renderSVG } = await import("./qr.js");
  const source = encodeURIComponent(renderSVG(link, { ecc: "L", border: 4 }));
  fill(element, h("img", { src: `data:image/svg+xml,${source}`, alt: "QR code of the link" }));
}

/** A text that cannot be changed, and a button that copies it. */
export function copyRow(app, text, label, action = "Copy") {
  const field = h("textarea", {
    readonly: true,
    rows: String(Math.min(6, Math.ceil(text.length / 56))),
    "aria-label": label,
    class: "share-text",
    onfocus: (event) => event.target.select(),
  });
  field.value = text;
  const copy = button(action, () => copyText(text, app), {
    icon: "copy",
    text: true,
    class: "primary",
  });
  return [field, h("div.row", {}, copy)];
}
