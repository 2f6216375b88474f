// Messages about long work, with a button that cancels it.

import { SLOW_MS } from "../ui/busy.js";

/**
 * Do a piece of work; a line over the page reports it if it takes long. That line's button, or
 * opening another document, cancels it. Then the promise is rejected, even if the work ignores the
 * signal.
 *
 * @template T
 * @param {object} app
 * @param {string} text Description of the work.
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @param {AbortController} [control] Cancels it, too.
 * @returns {Promise<T>}
 */
export async function withProgress(app, text, work, control = new AbortController()) {
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
