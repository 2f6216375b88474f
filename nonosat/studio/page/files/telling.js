// What takes long is told while it is done, and can be called off.

import { SLOW_MS } from "../ui/looking.js";

/**
 * Does a piece of work; a line over the page tells of it once it takes long. It is called off by
 * that line's button, or where another document is opened. Then the promise is rejected, also where
 * the work does not listen to the signal.
 *
 * @template T
 * @param {object} app
 * @param {string} text What is being done.
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @param {AbortController} [control] Calls it off, too.
 * @returns {Promise<T>}
 */
export async function telling(app, text, work, control = new AbortController()) {
  const action = { label: "Stop", run: () => control.abort() };
  let close = () => {};
  const late = setTimeout(() => (close = app.toast(text, { action, stays: true })), SLOW_MS);
  const leave = app.store.subscribe((_state, _before, { type }) => {
    if (type === "open") control.abort();
  });
  const end = () => {
    clearTimeout(late);
    close();
    leave();
  };
  control.signal.addEventListener("abort", end);
  try {
    return await work(control.signal);
  } finally {
    end();
    control.signal.throwIfAborted();
  }
}
