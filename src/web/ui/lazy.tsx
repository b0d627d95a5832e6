// A component that is loaded when it is first mounted, or before by `preload`, and a screen with its fallback.
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Notice, Spinner } from './page.tsx';

/**
 * @param load imports the component
 * @param Fallback is shown while it loads and after a failure; the default is nothing
 */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Fallback?: ComponentType<{ hasFailed: boolean }>,
) {
  // Once it is loaded, it is mounted without the fallback.
  let loaded: ComponentType<P> | null = null;

  async function fetchIt(): Promise<void> {
    loaded = await load();
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

/** @returns a screen, or a large part of one, that is loaded when it is opened */
export function lazyScreen<P extends object>(load: () => Promise<ComponentType<P>>) {
  return lazy(load, LazyFallback);
}

/** Loading fails if the network is away, or if another release has replaced the files; a reload helps in both cases. */
function LazyFallback({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useI18n();
  if (!hasFailed) return <Spinner text={t.loading} />;
  return (
    <div class="stack">
      <Notice kind="error">{t.errors.OFFLINE}</Notice>
      <button type="button" class="primary" onClick={() => location.reload()}>
        {t.tryAgain}
      </button>
    </div>
  );
}
