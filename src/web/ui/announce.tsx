// Announces changes that the user has not caused to screen readers.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

const ANNOUNCED = 'page:said';

/** Screen readers say `text` after what they are saying now. */
export function announce(text: string): void {
  dispatchEvent(new CustomEvent(ANNOUNCED, { detail: text }));
}

/** Clears what was announced on the screen before. Announcements of a new screen are effects, which come later. */
export function useQuiet(): void {
  useLayoutEffect(() => announce(''), []);
}

/** The live region. It must be in the document before its first announcement. */
export function LiveRegion() {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  useEffect(() => {
    const listener = (event: Event) => {
      const text = (event as CustomEvent<string>).detail;
      setSaid(({ turn }) => ({ text, turn: turn + 1 }));
    };
    addEventListener(ANNOUNCED, listener);
    return () => removeEventListener(ANNOUNCED, listener);
  }, []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite" translate={false}>
      {/* The key makes a repeated text a change, so that it is announced again. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}
