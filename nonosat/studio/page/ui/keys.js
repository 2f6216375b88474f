// Keys of the page as a whole, in addition to those of fields and the board.

import { isTyping } from "./dom.js";

const PLACES = "#board, #tools";

/**
 * True if a key may be a shortcut. Fields use typed characters themselves. Letters, digits and
 * signs are shortcuts only on the board and its tools: elsewhere, dictation or a slip would
 * trigger them (WCAG 2.1.4). Keys with Ctrl, arrows and the like work everywhere.
 */
export function isShortcut(event) {
  if (event.defaultPrevented || isTyping(event.target)) return false;
  const isSign = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  return !isSign || Boolean(event.target?.closest?.(PLACES));
}

/** Listen to shortcuts; `onKey(event)` returns true for a key that it handled. */
export function listenToShortcuts(onKey) {
  addEventListener("keydown", (event) => {
    if (isShortcut(event) && onKey(event)) event.preventDefault();
  });
}
