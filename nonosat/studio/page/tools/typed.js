// What is typed into fields beside a board, and belongs to one document.

/**
 * Whether two states have the same document on the table. A puzzle of the gallery that is changed
 * gets another key, its `freshKey`, and is the same one.
 *
 * @param {{key: string|null, freshKey?: string|null}|null} before
 * @param {{key: string|null}} state
 */
export function isSameTable(before, { key }) {
  if (!before) return false;
  return before.key === key || (Boolean(key) && before.freshKey === key);
}
