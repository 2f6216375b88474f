// Registration of `worker.js`, which stores the files of the page: after the first visit it works
// without a network.

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {}); // a page by http works as well
}
