// After the first visit the page works without a network: `worker.js` keeps its files.

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {}); // a page by http works as well
}
