// Keys of the page as a whole, beside those that fields and the board use themselves.

import { isTyping } from "./dom.js";

const PLACES = "#board, #tools";

/**
 * Whether a key may be a shortcut. Fields take what is typed into them. Letters, digits and signs
 * alone are shortcuts of the board and its tools only: people who dictate, or whose hand slips,
 * would set them off anywhere else (WCAG 2.1.4). Keys with Ctrl, arrows and the like work
 * everywhere.
 */
export function isShortcut(event) {
  if (event.defaultPrevented || isTyping(event.target)) return false;
  const isSign = event.key.length === 1 && !(event.ctrlKey || event.metaKey || event.altKey);
  return !isSign || Boolean(event.target?.closest?.(PLACES));
}

/** Hears of shortcuts; `onKey(event)` is true for a key that it used. */
export function listenToShortcuts(onKey) {
  addEventListener("keydown", (event) => {
    if (isShortcut(event) && onKey(event)) event.preventDefault();
  });
}
