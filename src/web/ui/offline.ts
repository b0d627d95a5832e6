// Registers the service worker, which keeps the page's shell, so that the page opens without a network.

/** Does nothing where there are no service workers, such as without https. */
export async function keepShell(): Promise<void> {
  const workers = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
  if (!workers) return;
  const isFirst = workers.controller === null;
  await workers.register('/sw.js');
  const { active } = await workers.ready;
  // The worker has not seen the files that were loaded before it was there.
  if (isFirst) active?.postMessage(loadedAssets());
}

function loadedAssets(): string[] {
  const assets = `${location.origin}/assets/`;
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  return [...new Set(loaded)].filter((name) => name.startsWith(assets));
}
