// The keys of a host who presents: space or → for the next step, F for full screen.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** How long keys are ignored after a new screen appears, ms, since the user meant the screen before. */
const SETTLE_MS = 600;

interface StageKeys {
  /** The keys work only while the focus is inside this element, or nowhere. [WCAG 2.1.4] */
  stage: RefObject<HTMLElement | null>;
  /** Identifies what is on the screen. */
  scene: string;
  /** Null if there is no next step. */
  onNext: (() => void) | null;
  onFullScreen(): void;
}

export function useStageKeys({ stage, scene, onNext, onFullScreen }: StageKeys): void {
  const shownAtMs = useRef(0);
  useEffect(() => {
    shownAtMs.current = performance.now();
  }, [scene]);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isMeantElsewhere(event, stage.current)) return;
      if (event.key === 'f' || event.key === 'F') {
        onFullScreen();
      } else if (event.key === 'ArrowRight' || event.key === ' ') {
        event.preventDefault();
        const hasSettled = performance.now() - shownAtMs.current > SETTLE_MS;
        if (hasSettled) onNext?.();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [stage, onNext, onFullScreen]);
}

function isMeantElsewhere(event: KeyboardEvent, stage: HTMLElement | null): boolean {
  const { target, key } = event;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(target instanceof Element) || target.closest('dialog, input, select')) return true;
  // Space presses the button that has the focus.
  if (key === ' ' && target.closest('button, a')) return true;
  return target !== document.body && !stage?.contains(target);
}
