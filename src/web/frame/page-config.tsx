// The service's configuration for the page, requested once.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { call } from '../api.ts';
import { retry } from '../ui/retry.ts';
import type { PageConfig } from './page-schema.ts';

const UNKNOWN: PageConfig = {
  guests: false,
  providers: [],
  oidcName: null,
  emailSignUp: true,
  outbox: null,
  shareOrigin: null,
};

/** Null until the service has replied. */
const ConfigContext = createContext<PageConfig | null>(null);

export function PageConfigProvider({ children }: { children: ComponentChildren }) {
  const [config, setConfig] = useState<PageConfig | null>(null);
  useEffect(() => {
    const stopped = new AbortController();
    const { signal } = stopped;
    // If another server serves the page, it has no such file.
    retry(() => call<PageConfig>('GET', '/web/config.json'), { onWaiting: () => {}, signal }).then(setConfig, () =>
      setConfig(UNKNOWN),
    );
    return () => stopped.abort();
  }, []);
  return <ConfigContext.Provider value={config}>{children}</ConfigContext.Provider>;
}

/** @returns the link to share for a path of the page, such as that of a lobby */
export function useShareUrl(path: string): string {
  const { shareOrigin } = usePageConfig();
  return `${shareOrigin ?? location.origin}${path}`;
}

/** @returns the configuration, or the one without anything as long as it is not known */
export function usePageConfig(): PageConfig {
  return useContext(ConfigContext) ?? UNKNOWN;
}

export function useIsConfigured(): boolean {
  return useContext(ConfigContext) !== null;
}
