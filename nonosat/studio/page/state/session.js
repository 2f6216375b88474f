// The current document of a tab, stored while it is open, across a reload, and separately for each
// tab.

import { closed } from "./reduce.js";
import { createHold, newKey } from "./hold.js";
import { documentMode } from "./place.js";
import { createShelf } from "./shelf.js";

const PLACE = "nonosat/table"; // in sessionStorage: this tab's document and mode
const LATER = 250; // ms from a change until it is stored

/**
 * Store the state of a store, and restore it.
 *
 * @param {object} parts Parts by name; those with `keep` have a slice that is stored.
 * @param {() => void} full Called when the browser's storage has no room left.
 */
export function createSession(store, parts, full) {
  const shelf = createShelf(localStorage);
  const hold = createHold(navigator.locks, "nonosat/");
  let timer = 0;
  let kept = store.get();
  let wasFull = false;
  const save = (state) => {
    const isFull = !shelf.save(state.key, recordOf(state, parts), Date.now());
    if (isFull && !wasFull) full(); // once, not after every stroke
    wasFull = isFull;
  };
  const flush = () => {
    clearTimeout(timer);
    timer = 0;
    const state = store.get();
    sessionStorage.setItem(PLACE, JSON.stringify({ key: state.key, mode: state.mode }));
    if (state === kept || !state.key) return;
    kept = state;
    save(state);
  };
  store.subscribe((state, before) => {
    if (state.key && before.key !== state.key) hold(state.key);
    if (before.key && before.key !== state.key) keepBefore(before);
    timer ||= setTimeout(flush, LATER);
  });
  const keepBefore = (before) => {
    if (before !== kept) save(before);
    kept = null;
  };
  addEventListener("pagehide", flush);
  document.addEventListener("visibilitychange", () => document.hidden && flush());
  return {
    shelf,
    flush,
    /** A document of the shelf as an action "open"; null if there is none. A document that another
     * tab has open is copied.
     */
    async opening(key) {
      const record = shelf.load(key);
      if (!record) return null;
      const isOurs = await hold(key);
      const { doc, history, cursor, slices } = record;
      // Earlier versions stored the gallery as the mode of a document.
      const mode = documentMode(record.mode, doc.kind === "picture" ? "draw" : "play");
      const name = isOurs ? key : newKey();
      const place = { key: name, freshKey: newKey(), mode, docMode: mode, cursor };
      return { type: "open", doc, history, ...place, kept: slices };
    },
    /** Forget a removed document: if this tab has it open, it is not stored again. */
    forget(key) {
      if (store.get().key === key) kept = store.get();
    },
    /** The document of this tab before a reload: `{ key, mode }` or null. */
    place() {
      try {
        return JSON.parse(sessionStorage.getItem(PLACE));
      } catch {
        return null;
      }
    },
  };
}

/**
 * The stored part of a state. A stroke or input in progress is stored as the step that it will
 * become.
 *
 * @param {object} parts Parts by name; those with `keep` have a slice that is stored.
 */
export function recordOf(state, parts) {
  const slices = {};
  for (const [name, part] of Object.entries(parts)) {
    if (part.keep && state[name] !== undefined) slices[name] = part.keep(state[name]);
  }
  const { doc, history, mode, docMode, cursor } = closed(state);
  return { doc, history, mode: documentMode(mode, docMode), cursor, slices };
}
