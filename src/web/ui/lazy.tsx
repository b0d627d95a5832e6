// A component that is loaded when it is first mounted.
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
  return function Lazy(props: P): VNode | null {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      load().then(
        (module) => setLoaded(() => module.default),
        () => setFailed(true),
      );
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return Fallback ? <Fallback hasFailed={hasFailed} /> : null;
  };
}
