// Input in fields next to a board, which belongs to one document.

/**
 * True if two states have the same current document. A puzzle of the gallery that is changed gets
 * another key, its `freshKey`, and is the same one.
 *
 * @param {{key: string|null, freshKey?: string|null}|null} before
 * @param {{key: string|null}} state
 */
export function isSameTable(before, { key }) {
  if (!before) return false;
  return before.key === key || (Boolean(key) && before.freshKey === key);
}
