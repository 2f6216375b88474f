// Addresses of steps: `#step-12`; of contradictory clues `#clash-2`; of a cell's reason
// `#reason-1`.

import { placeIn, storyOf } from "./model.js";

const WORDS = { whole: "step", clash: "clash", reason: "reason" };
const WAITS = 150; // ms: browsers refuse to change an address at every repeat of a key

/** The address of a place in a story; "" for its start. */
export function addressOf(kind, at) {
  return at ? `#${WORDS[kind]}-${at}` : "";
}

/** The place in an address, `{ kind, at }`; null if there is none. */
export function placeOf(hash) {
  const found = /^#(\w+)-(\d{1,9})$/.exec(hash);
  const kind = Object.keys(WORDS).find((name) => WORDS[name] === found?.[1]);
  return kind ? { kind, at: Number(found[2]) } : null;
}

/**
 * Synchronise the page's address with the steps, without an entry in the history for each step.
 *
 * @returns {() => void} To be called when the steps are known: goes to the place in the address.
 */
export function followAddress(app) {
  const { store } = app;
  if (location.protocol === "about:") return () => {}; // the frame of a notebook has no address
  let opened = placeOf(location.hash);
  let known = location.hash;
  let waiting = 0;
  const go = ({ kind, at }) => {
    if (!store.get().explain.stories[kind]) return;
    store.dispatch({ type: "explain/story", kind });
    store.dispatch({ type: "explain/at", at });
  };
  addEventListener("hashchange", () => {
    const { mode, explain } = store.get();
    const place = location.hash ? placeOf(location.hash) : { kind: explain.kind, at: 0 };
    if (mode === "explain" && place) go(place);
  });
  const write = () => {
    // The user has just changed the address: the event that follows decides what is shown.
    if (location.hash !== known) waiting = setTimeout(write, WAITS);
    else replaceAddress(store.get());
    known = location.hash;
  };
  store.subscribe((state, before) => {
    if (!["explain", "gallery"].includes(state.mode)) opened = null; // the user opened another mode
    if (state.explain === before.explain && state.mode === before.mode) return;
    clearTimeout(waiting);
    waiting = setTimeout(write, WAITS);
  });
  return () => {
    if (opened) go(opened);
    opened = null;
  };
}

function replaceAddress({ mode, explain }) {
  const isLoaded = mode === "explain" && storyOf(explain);
  if (mode === "explain" && !isLoaded) return; // the requested place is not loaded yet
  const address = isLoaded ? addressOf(explain.kind, placeIn(explain)) : "";
  if (location.hash === address || !(address || placeOf(location.hash))) return;
  history.replaceState(history.state, "", address || location.pathname + location.search);
}
