// What a tab has on its table, kept while it is open, after a reload, and apart from other tabs.

import { closed } from "./reduce.js";
import { createShelf } from "./shelf.js";

const PLACE = "nonosat/table"; // in sessionStorage: this tab's document and mode
const LATER = 250; // ms from a change until it is kept

/** A name for a new document: 12 hex digits. (`randomUUID` is not there over plain http.) */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Keeps the state of a store, and brings it back.
 *
 * @param {object} parts Parts by name; those with `keep` have a slice that is kept.
 * @param {() => void} full Called when the browser's storage has no room left.
 */
export function createSession(store, parts, full) {
  const shelf = createShelf(localStorage);
  const hold = createHold();
  let timer = 0;
  let kept = store.get();
  let wasFull = false;
  const save = (state) => {
    const isFull = !shelf.save(state.key, recordOf(state, parts), Date.now());
    if (isFull && !wasFull) full(); // once, not at every stroke
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
    /** A document of the shelf as an action "open"; null where there is none. One that another tab
     * has open comes as a copy of its own. */
    async opening(key) {
      const record = shelf.load(key);
      if (!record) return null;
      const isOurs = await hold(key);
      const { doc, history, mode, cursor, slices } = record;
      const name = isOurs ? key : newKey();
      const freshKey = newKey();
      return { type: "open", doc, key: name, freshKey, history, mode, cursor, kept: slices };
    },
    /** A document was removed: if it is on this table, it is not kept again by itself. */
    forget(key) {
      if (store.get().key === key) kept = store.get();
    },
    /** What this tab had on its table before it was loaded again: `{ key, mode }` or null. */
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
 * What is kept of a state. What is being drawn or typed is kept as the step that it will become.
 *
 * @param {object} parts Parts by name; those with `keep` have a slice that is kept.
 */
export function recordOf(state, parts) {
  const slices = {};
  for (const [name, part] of Object.entries(parts)) {
    if (part.keep && state[name] !== undefined) slices[name] = part.keep(state[name]);
  }
  const { doc, history, mode, cursor } = closed(state);
  return { doc, history, mode, cursor, slices };
}

/** One tab at a time holds a document: a lock of the browser, given back when the tab ends. */
function createHold() {
  let release = () => {};
  let held = null;
  return async (key) => {
    if (key === held) return true;
    const wasGiven = await lock(key, (ended) => {
      release();
      release = ended;
    });
    if (wasGiven) held = key;
    return wasGiven;
  };
}

function lock(key, given) {
  if (!navigator.locks) return Promise.resolve(true);
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(400); // a tab that is loaded again gives its lock back soon
    const holding = () =>
      new Promise((ended) => {
        given(ended);
        resolve(true);
      });
    navigator.locks.request(`nonosat/${key}`, { signal }, holding).catch(() => resolve(false));
  });
}
