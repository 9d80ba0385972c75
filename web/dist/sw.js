/**
 * Keeps the shell of the page, so that it opens without a connection. Nothing that
 * anybody said passes through here: only the page itself and files named after
 * their contents.
 */
const SHELL = "sayso-shell-1";
/** A page is made of fewer than this; what is older belongs to pages that nobody opens any more. */
const MOST_ASSETS = 48;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(["/", "/icon.svg", "/app.webmanifest"])).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name !== SHELL).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))).then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(kept(request));
  else if (pathname === "/" || pathname === "/icon.svg" || pathname === "/app.webmanifest") event.respondWith(fresh(request));
});

/** Named after their contents: what is there is right. */
async function kept(request) {
  const cache = await caches.open(SHELL);
  const known = await cache.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  // The oldest come first.
  const assets = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith("/assets/"));
  for (const old of assets.slice(0, -MOST_ASSETS)) await cache.delete(old);
  return answer;
}

/** The newest there is; without a connection, the last that was seen. */
async function fresh(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return (await cache.match(request)) ?? Response.error();
  }
}
