// A text that goes to the clipboard.

import { h } from "./dom.js";

/** Copies a text; a page without the right to write the clipboard does it the old way. */
export async function copyText(text, app) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOfField(text);
  }
  app.toast("Copied.");
}

/** The browser copies what is selected in a field; the field is gone afterwards. */
function copyOfField(text) {
  const { activeElement } = document;
  const field = h("textarea.visually-hidden", { readonly: true, "aria-hidden": "true" });
  field.value = text;
  // A modal dialog lets nothing outside of it take the focus.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.focus();
  field.select();
  document.execCommand("copy");
  field.remove();
  activeElement?.focus();
}
