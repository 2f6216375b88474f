// Copy a text to the clipboard.

import { h } from "./dom.js";

/** Copy a text; a page without permission for the clipboard selects it in a field and copies that.
 */
export async function copyText(text, app, words = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyOfField(text);
  }
  app.toast(words);
}

/** Copy by a selected field, which is removed afterwards. */
function copyOfField(text) {
  const { activeElement } = document;
  const field = h("textarea.visually-hidden", { readonly: true, "aria-hidden": "true" });
  field.value = text;
  // A modal dialog keeps the focus, so the field must be inside it.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.focus();
  field.select();
  document.execCommand("copy");
  field.remove();
  activeElement?.focus();
}
