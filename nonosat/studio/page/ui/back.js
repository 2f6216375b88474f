// The browser's Back button returns from a document to the gallery, Forward to the document.
//
// Invariant: an entry of the browser's history with `isOpen` shows a document.

/** Follow the browser's history with the mode; `onGallery()` is called after Back. */
export function followHistory({ store }, onGallery) {
  let mode = "draw"; // of the last document
  store.subscribe((state, before) => {
    if (state.mode === before.mode) return;
    const isOpen = state.mode !== "gallery";
    if (isOpen) mode = state.mode;
    if (isOpen && before.mode === "gallery" && !history.state?.isOpen)
      history.pushState({ isOpen }, "");
    if (!isOpen) history.replaceState(null, "");
  });
  addEventListener("popstate", ({ state }) => {
    const isOpen = store.get().mode !== "gallery";
    if (state?.isOpen && !isOpen && store.get().key) store.dispatch({ type: "mode", mode });
    if (state?.isOpen || !isOpen) return;
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    store.dispatch({ type: "mode", mode: "gallery" });
    onGallery();
  });
}
