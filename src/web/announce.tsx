// What happens on the screen without the user's doing, said to those who don't see it.
import { useEffect, useState } from 'preact/hooks';

const SAID = 'page:said';

/** Has screen readers say `text` as soon as they have finished what they are saying. */
export function announce(text: string): void {
  dispatchEvent(new CustomEvent(SAID, { detail: text }));
}

/** The place that screen readers listen to. There is one, and it is always there. */
export function Announcer() {
  const [said, setSaid] = useState({ text: '', turn: 0 });
  useEffect(() => {
    const listener = (event: Event) => {
      const text = (event as CustomEvent<string>).detail;
      setSaid(({ turn }) => ({ text, turn: turn + 1 }));
    };
    addEventListener(SAID, listener);
    return () => removeEventListener(SAID, listener);
  }, []);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {/* The same text twice is said twice. */}
      <span key={said.turn}>{said.text}</span>
    </div>
  );
}
