// The service worker: it keeps the page's shell, so that the page opens without a network and says so. It never
// answers for the API. HTML always comes from the network first; files below /assets never change, since their names
// contain a hash of their content.

const CACHE = 'shell';
const SHELL = '/';
const ASSETS = '/assets/';

/** These addresses are no screens of the page. */
const OTHER_PAGES = /^\/(api|console|docs|ws)(\/|$)/;

addEventListener('install', (event) => {
  // A new version takes over at once: it works with every version of the page.
  skipWaiting();
  event.waitUntil(keepShell());
});

addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()]));
});

// The page names the files that it had loaded before the worker was there.
addEventListener('message', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(event.data)));
});

addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin) return;
  if (mode === 'navigate' && !OTHER_PAGES.test(pathname)) event.respondWith(openPage(event));
  else if (pathname.startsWith(ASSETS)) event.respondWith(readAsset(event));
});

/** @returns the page from the network, or the kept shell where there is none */
async function openPage(event) {
  try {
    const response = (await event.preloadResponse) ?? (await fetch(event.request));
    if (response.ok) event.waitUntil(keepShell());
    return response;
  } catch (error) {
    const shell = await caches.match(SHELL);
    if (shell) return shell;
    throw error;
  }
}

async function readAsset({ request }) {
  const cache = await caches.open(CACHE);
  // The replies vary by encoding and origin, which the kept files do not.
  const kept = await cache.match(request, { ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

/**
 * Keeps a new version of the page with the files that it begins with, and nothing of the version before. It asks for the
 * page itself, since the reply to a navigation may be any file of this origin, and has an address that may contain a
 * token. While the page is unchanged, the reply is a 304.
 */
async function keepShell() {
  const response = await fetch(SHELL, { cache: 'no-cache' });
  if (!response.ok) return;
  const cache = await caches.open(CACHE);
  const html = await response.clone().text();
  if (html === (await (await cache.match(SHELL))?.text())) return;
  for (const request of await cache.keys()) await cache.delete(request);
  await cache.addAll(html.match(/\/assets\/[\w.-]+/g) ?? []);
  await cache.put(SHELL, response);
}
