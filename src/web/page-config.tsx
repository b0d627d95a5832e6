// What the service tells the page about itself, asked once.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { page } from './api.ts';
import type { PageConfig } from './page-schema.ts';
import { persist } from './persist.ts';

const UNKNOWN: PageConfig = { guests: false, providers: [], outbox: null, shareOrigin: null };

const ConfigContext = createContext<PageConfig>(UNKNOWN);

export function PageConfigProvider({ children }: { children: ComponentChildren }) {
  const [config, setConfig] = useState(UNKNOWN);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    // Served from elsewhere, the page does without.
    persist(page.config, { onWaiting: () => {}, signal }).then(setConfig, () => {});
    return () => stopped.abort();
  }, []);
  return <ConfigContext.Provider value={config}>{children}</ConfigContext.Provider>;
}

export function usePageConfig(): PageConfig {
  return useContext(ConfigContext);
}
