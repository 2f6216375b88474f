// Copy a text to the clipboard.

import { showDialog } from "./dialog.js";
import { h } from "./dom.js";

/**
 * Copy a text; a page without permission for the clipboard selects it in a field and copies that.
 * If the browser refuses this, too, a dialog shows the text.
 */
export async function copyText(text, app, words = "Copied.") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    if (!copyOfField(text)) return showText(text);
  }
  return app.toast(words);
}

/** Show a selected text, which the user copies by a key or the browser's menu. */
function showText(text) {
  const field = h("textarea.share-text", { readonly: true, rows: "6", "aria-label": "Text" });
  field.value = text;
  const words = "The browser does not allow this page to copy. The text is selected: copy it here.";
  showDialog("Copy the text", [h("p", {}, words), field]);
  field.focus();
  field.select();
}

/** Copy by a selected field, which is removed afterwards; true if the browser copied it. */
function copyOfField(text) {
  const { activeElement } = document;
  const field = h("textarea.visually-hidden", { readonly: true, "aria-hidden": "true" });
  field.value = text;
  // A modal dialog keeps the focus, so the field must be inside it.
  (document.querySelector("dialog[open]") ?? document.body).append(field);
  field.focus();
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  activeElement?.focus();
  return isCopied;
}
