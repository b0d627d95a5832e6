// What the page remembers: for this tab (a game over a reload) or on this device (what the user
// chose). A browser that refuses to store anything is no reason not to play.

export type Area = 'tab' | 'device';

const PREFIX = 'vocabulary-quiz:';

/** @returns what was saved, or null */
export function load<T>(area: Area, key: string): T | null {
  try {
    const text = storageOf(area).getItem(PREFIX + key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

/** @param value null removes it */
export function save(area: Area, key: string, value: unknown): void {
  try {
    if (value === null) storageOf(area).removeItem(PREFIX + key);
    else storageOf(area).setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full or forbidden.
  }
}

/** Forgets everything of this tab, as when somebody signs out. */
export function clearTab(): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Forbidden: there is nothing either.
  }
}

/**
 * Hears what another tab saves on this device under `key`.
 * @returns stops it
 */
export function onSavedElsewhere(key: string, heard: () => void): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === PREFIX + key) heard();
  };
  addEventListener('storage', listener);
  return () => removeEventListener('storage', listener);
}

function storageOf(area: Area): Storage {
  return area === 'tab' ? sessionStorage : localStorage;
}
