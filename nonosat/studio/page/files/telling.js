// What takes long is told while it is done, and can be called off.

import { SLOW_MS } from "../ui/looking.js";

/**
 * Does a piece of work; a line over the page tells of it once it takes long.
 *
 * @template T
 * @param {object} app
 * @param {string} text What is being done.
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function telling(app, text, work) {
  const control = new AbortController();
  const action = { label: "Stop", run: () => control.abort() };
  let close = () => {};
  const late = setTimeout(() => (close = app.toast(text, { action, stays: true })), SLOW_MS);
  try {
    return await work(control.signal);
  } finally {
    clearTimeout(late);
    close();
  }
}
