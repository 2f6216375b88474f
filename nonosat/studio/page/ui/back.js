// The browser's Back and Forward buttons: documents and the gallery follow each other as pages do.
//
// Invariant: the state of an entry of the browser's history is `{ key }` of the document that it
// shows; null, or without a key, it shows the gallery. `#step-12` and other addresses keep it.

/**
 * Follow the browser's history with the open document; `onGallery()` is called after Back or
 * Forward to the gallery.
 */
export function followHistory({ store, reopen }, onGallery) {
  let isWalking = false; // while the page follows the history, and not the history the page
  const keyOf = (state) => (state.mode === "gallery" ? null : state.key);
  store.subscribe((state, before) => {
    const [key, last] = [keyOf(state), keyOf(before)];
    if (isWalking || key === last) return;
    const isKnown = key === (history.state?.key ?? null); // after a reload
    const isCopy = last !== null && key === before.freshKey; // of a changed puzzle of the gallery
    if (isCopy) history.replaceState({ key }, "");
    else if (!isKnown) history.pushState({ key }, "");
  });
  const showGallery = () => {
    if (store.get().mode === "gallery") return;
    store.dispatch({ type: "mode", mode: "gallery" });
    onGallery();
  };
  const show = async () => {
    const key = history.state?.key ?? null;
    if (key === keyOf(store.get())) return;
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    isWalking = true;
    const { key: open, docMode: mode } = store.get();
    if (key !== null && key === open) store.dispatch({ type: "mode", mode });
    else if (key === null || !(await reopen(key))) showGallery();
    isWalking = false;
    // Another document if this one is removed, or a copy if another tab has it open.
    history.replaceState({ key: keyOf(store.get()) }, "");
  };
  let shown = Promise.resolve(); // one entry after the other, however fast they follow
  addEventListener("popstate", () => (shown = shown.then(show)));
}
