// A component that is loaded when it is first shown, and nothing in its place until then.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** @param load imports a module whose default export is the component */
export function lazy<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  return function Lazy(props: P): VNode | null {
    const [Loaded, setLoaded] = useState<ComponentType<P> | null>(null);
    useEffect(() => {
      // Without it the rest of the screen does as well.
      load().then(
        (module) => setLoaded(() => module.default),
        () => {},
      );
    }, []);
    return Loaded && <Loaded {...props} />;
  };
}
