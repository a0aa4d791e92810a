/// <reference lib="webworker" />
// Keeps the files of the till on the phone, so that it opens without a network. It never keeps answers of the API.

/** Put in when the page is built. */
declare const VERSION: string;
declare const FILES: readonly string[];

const worker = globalThis as unknown as ServiceWorkerGlobalScope;
const CACHE = `till-${VERSION}`;
const FRAME = '/till/';

worker.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(CACHE).then((cache) =>
      // Past the browser's own cache: a frame of yesterday with files of today opens nothing.
      cache.addAll([FRAME, ...FILES].map((path) => new Request(path, { cache: 'reload' }))),
    ),
  );
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      )
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin) return;
  if (!pathname.startsWith(FRAME)) return;
  const wanted = request.mode === 'navigate' ? FRAME : pathname;
  event.respondWith(
    caches
      .open(CACHE)
      .then((cache) => cache.match(wanted, { ignoreVary: true }))
      .then((kept) => kept ?? fetch(request)),
  );
});
