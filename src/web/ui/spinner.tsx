// A spinner. It appears late, so that the screen does not flicker if the response is quick.
import { useEffect, useState } from 'preact/hooks';

const SHOWN_AFTER_MS = 300;

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
