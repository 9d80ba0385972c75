/** What the page has put on the device, read as somebody would who looks through it. */
import { PATIENCE } from "./page.mjs";

/** Every store of every database with all that is in it. A name that is not there stays so: asking would make one. */
export function kept(page) {
  return page.evaluate(async () => {
    const done = (request) =>
      new Promise((go, fail) => {
        request.onsuccess = () => go(request.result);
        request.onerror = () => fail(request.error);
      });
    const stores = { threads: [], drafts: [] };
    for (const { name } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name));
      for (const store of db.objectStoreNames)
        stores[store] = await done(db.transaction(store).objectStore(store).getAll());
      db.close();
    }
    return stores;
  });
}

/** Waits until what is kept is so; `what` says so to whoever reads that it never was. */
export async function keeps(page, what, isSo) {
  const until = Date.now() + PATIENCE.timeout;
  while (!isSo(await kept(page))) {
    if (Date.now() > until) throw new Error(`the device never kept ${what}`);
    await new Promise((go) => setTimeout(go, 50));
  }
}

export const keepsDraft = (page, words) =>
  keeps(page, `“${words}”`, ({ drafts }) => drafts.some(({ text }) => text === words));

/** Where a secret lies besides this tab's own pocket. */
export async function placesOf(page, secret) {
  const stores = Object.entries(await kept(page)).filter(([, all]) => JSON.stringify(all).includes(secret));
  const others = await page.evaluate(async (words) => {
    const found = JSON.stringify({ ...localStorage }).includes(words) ? ["localStorage"] : [];
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) if (url.includes(words)) found.push(url);
    return found;
  }, secret);
  return [...stores.map(([name]) => name), ...others];
}

/** What somebody who signed out has left behind. */
export async function leftBehind(page) {
  const stores = Object.entries(await kept(page)).filter(([, all]) => all.length);
  const pockets = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  return [...stores.map(([name, all]) => `${all.length} in ${name}`), ...pockets];
}
