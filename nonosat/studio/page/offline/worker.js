// Cache the files of the page, so that it opens without a network. `static.py` writes this file as
// offline.js next to the page, with the names of all files and their version.
//
// Invariant: a page gets all its files from one version. A newer version is fetched in addition,
// and used once no page of the older one is open.

const FILES = [];
const VERSION = "";
const NAME = `nonosat ${registration.scope}`;
const CACHE = `${NAME} ${VERSION}`;

addEventListener("install", (event) => {
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)));
});

addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith(NAME) && name !== CACHE;
  const removed = caches
    .keys()
    .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))));
  event.waitUntil(removed);
});

addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(registration.scope)) return;
  event.respondWith(answered(request));
});

async function answered(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept) return kept;
  return fetch(request);
}
