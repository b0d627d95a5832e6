// The browser's storage: for this tab, such as a game that survives a reload, or for this device, such as
// settings. What a browser refuses to store is kept as long as the page is open.

type StorageArea = 'tab' | 'device';

const PREFIX = 'vocabulary-quiz:';

/** What the browser has refused to store, by area and key. */
const refused = new Map<string, string>();

/** @returns the saved value, or null */
export function load<T>(area: StorageArea, key: string): T | null {
  try {
    const text = refused.get(area + key) ?? storageOf(area).getItem(PREFIX + key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** @param value null removes it */
export function save(area: StorageArea, key: string, value: unknown): void {
  refused.delete(area + key);
  try {
    if (value === null) storageOf(area).removeItem(PREFIX + key);
    else storageOf(area).setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // The storage is full or forbidden.
    if (value !== null) refused.set(area + key, JSON.stringify(value));
  }
}

/** Removes everything that is saved for this tab. */
export function clearTab(): void {
  refused.clear();
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // The storage is forbidden, so that it has nothing to remove.
  }
}

/** Observes what other tabs save on this device under `key`. @returns a function that stops it */
export function onSavedInOtherTab(key: string, heard: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === PREFIX + key) heard();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

function storageOf(area: StorageArea): Storage {
  return area === 'tab' ? sessionStorage : localStorage;
}
