// The line that reports the end of the server, and accepts the address of a new one.

import { shareText } from "../state/share.js";
import { button, fill, h } from "./dom.js";

const TEXTS = {
  lost:
    "The server has ended. Start nonosat studio again and open the new address; your drawing is " +
    "kept here.",
  refused:
    "Another server runs here now. Open the address that it has printed; your drawing is kept " +
    "here.",
};

/**
 * The address to open for an address that was entered.
 *
 * @param {string} text As the studio prints it; surrounding text is ignored.
 * @param {string} origin The page's own.
 * @param {string} shared The drawing as a text: another port has separate storage, so the drawing
 *   is passed in the address (after `#`, which is not sent to servers).
 * @returns {string|null} Null if the text has no address of a studio on this machine.
 */
export function addressOf(text, origin, shared) {
  const found = /https?:\/\/\S+/.exec(text)?.[0];
  if (!found || !URL.canParse(found)) return null;
  const url = new URL(found);
  if (!["127.0.0.1", "localhost", "[::1]"].includes(url.hostname)) return null;
  url.hash = url.origin === origin || !shared ? "" : `draw=${shared}`;
  return url.href;
}

/** Show the state of the connection. */
export function mountConnection(element, app) {
  const field = h("input", {
    type: "text",
    "aria-label": "New address",
    placeholder: "http://127.0.0.1:…",
    spellcheck: "false",
    oninput: () => field.setAttribute("aria-invalid", "false"),
  });
  const go = async (event) => {
    event.preventDefault();
    app.session.flush();
    const { mode, doc } = app.store.get();
    const shared = mode === "gallery" ? "" : await shareText(doc);
    const address = addressOf(field.value, location.origin, shared);
    if (address) location.assign(address);
    else {
      field.setAttribute("aria-invalid", "true");
      app.announce("This is not an address of a studio on this machine.");
    }
  };
  const text = h("span");
  fill(
    element,
    h(
      "form.row.lost-row",
      { onsubmit: go },
      text,
      field,
      button("Open", null, { type: "submit" }),
    ),
  );
  // Next to a board it is the first of the panels, which scroll separately.
  const place = ({ mode }) => {
    const side = document.getElementById("side");
    if (mode === "gallery") document.querySelector(".bar").after(element);
    else if (element.parentElement !== side) side.prepend(element);
  };
  app.store.subscribe((state, before) => state.mode !== before.mode && place(state));
  place(app.store.get());
  app.answers.onConnection((connection) => {
    text.textContent = TEXTS[connection] ?? "";
    element.hidden = connection === "open" || !TEXTS[connection];
    if (!element.hidden && element.parentElement.id === "side") element.parentElement.scrollTop = 0;
  });
}
