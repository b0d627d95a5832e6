// A component that is loaded when it is first mounted, or before by `preload`.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * @param load imports a module whose default export is the component
 * @param Instead the fallback while it loads and after a failure; the default is nothing
 */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Fallback?: ComponentType<{ hasFailed: boolean }>,
) {
  // Once it is loaded, it is mounted without the fallback.
  let loaded: ComponentType<P> | null = null;

  async function fetchIt(): Promise<void> {
    loaded = (await load()).default;
  }

  function Lazy(props: P): VNode | null {
    const [isLoaded, setLoaded] = useState(loaded !== null);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (!isLoaded)
        fetchIt().then(
          () => setLoaded(true),
          () => setFailed(true),
        );
    }, []);
    const Loaded = loaded;
    if (Loaded && isLoaded) return <Loaded {...props} />;
    return Fallback ? <Fallback hasFailed={hasFailed} /> : null;
  }

  /** Loads the component before it is needed. If that fails, mounting it tries again. */
  Lazy.preload = () => void fetchIt().catch(() => {});
  return Lazy;
}
