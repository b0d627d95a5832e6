// The keys of who stands beside a projector: space or → for what comes next, F for the whole screen.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A key that was meant for what was on the screen a moment ago does nothing to what has come since. */
const SETTLE_MS = 600;

interface StageKeys {
  /** The keys are the stage's while the focus is on it, or nowhere. [WCAG 2.1.4] */
  stage: RefObject<HTMLElement | null>;
  /** What is on the screen. */
  scene: string;
  /** Nothing to go on to when null. */
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
  // Space presses the button that has the focus, and no other.
  if (key === ' ' && target.closest('button, a')) return true;
  return target !== document.body && !stage?.contains(target);
}
