// A message on the screen, and the sign that one is to wait. Screen readers interrupt for errors only.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Notice({ kind, children }: { kind: 'error' | 'info' | 'good'; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

const SHOWN_AFTER_MS = 300;

/** A spinner. It appears late, so that the screen does not flicker if the response is quick. */
export function Spinner({ text }: { text: string }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="waiting" role="status">
      {isShown && (
        <>
          <span class="spinner" aria-hidden="true" />
          {text}
        </>
      )}
    </p>
  );
}
