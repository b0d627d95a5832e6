// A component that is loaded when it is first shown.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/**
 * @param load imports a module whose default export is the component
 * @param Instead takes its place until it is there; nothing does when left out
 */
export function lazy<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  Instead?: ComponentType<{ hasFailed: boolean }>,
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
    return Instead ? <Instead hasFailed={hasFailed} /> : null;
  };
}
