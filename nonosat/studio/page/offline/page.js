// The page without a server, which `.ci/page` bundles: the page, and registration of `worker.js`,
// which stores its files: after the first visit it works without a network.

import "../app.js";

if ("serviceWorker" in navigator) {
  navigator.serviceWorker.register("offline.js").catch(() => {}); // a page by http works as well
}
