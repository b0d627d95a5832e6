// The device of a host: the keys of a stage, full screen, and a screen that stays on.
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { load, save } from '../ui/storage.ts';
import { SETTLE_MS } from './next-step.tsx';

const NEXT_KEYS: readonly string[] = ['ArrowRight', 'PageDown', ' ', 'Enter'];
/** A game has no way back, so that a clicker's other key must not scroll either. */
const BACK_KEYS: readonly string[] = ['ArrowLeft', 'PageUp'];
/** The keys that press the button or link that has the focus. */
const PRESSING_KEYS: readonly string[] = [' ', 'Enter'];

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
      } else if (BACK_KEYS.includes(event.key)) {
        event.preventDefault();
      } else if (NEXT_KEYS.includes(event.key)) {
        event.preventDefault();
        const hasSettled = performance.now() - shownAtMs.current > SETTLE_MS;
        if (hasSettled) onNext?.();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [stage, onNext, onFullScreen]);
}

/** Returns the focus to the stage after a dialog and after a press of a button, so that Space goes on again. */
export function useFocusOnStage(stage: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const toStage = () => stage.current?.querySelector('h1')?.focus({ preventScroll: true });
    // A button that was pressed by a key keeps the focus; such a click has no `detail`.
    const clicked = ({ detail }: MouseEvent) => detail > 0 && toStage();
    const current = stage.current;
    current?.addEventListener('click', clicked);
    // The event does not bubble, and the host's dialogs are outside of the stage.
    document.addEventListener('close', toStage, true);
    return () => {
      current?.removeEventListener('click', clicked);
      document.removeEventListener('close', toStage, true);
    };
  }, [stage]);
}

function isMeantElsewhere(event: KeyboardEvent, stage: HTMLElement | null): boolean {
  const { target, key } = event;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return true;
  if (!(target instanceof Element) || target.closest('dialog, input, select')) return true;
  if (PRESSING_KEYS.includes(key) && target.closest('button, a')) return true;
  return target !== document.body && !stage?.contains(target);
}

/**
 * Switches the page to full screen and back.
 * @returns whether the page is in full screen, and a toggle; a browser may refuse the change
 */
export function useFullScreen(): [isFull: boolean, toggle: () => void] {
  const [isFull, setFull] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const changed = () => setFull(document.fullscreenElement !== null);
    document.addEventListener('fullscreenchange', changed);
    return () => document.removeEventListener('fullscreenchange', changed);
  }, []);
  return [isFull, toggleFullScreen];
}

function toggleFullScreen(): void {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.();
  change?.catch(() => {});
}

const SCHEME = 'stage-scheme';
const DARK = '(prefers-color-scheme: dark)';
/** The rule of the dark colours, once a stage was shown. */
let darkRule: CSSMediaRule | undefined;

/**
 * The colours of a stage, which a host may choose whatever the laptop prefers, since a projector may be too weak for
 * dark ones. The choice is stored on this device.
 * @returns whether they are dark, and a toggle
 */
export function useScheme(): [isDark: boolean, toggle: () => void] {
  const [isDark, setDark] = useState(() => load<boolean>('device', SCHEME) ?? matchMedia(DARK).matches);
  useLayoutEffect(() => {
    darkRule ??= findDarkRule();
    const { style } = document.documentElement;
    if (darkRule) darkRule.media.mediaText = isDark ? 'all' : 'not all';
    style.colorScheme = isDark ? 'dark' : 'light';
    return () => {
      if (darkRule) darkRule.media.mediaText = DARK;
      style.colorScheme = '';
    };
  }, [isDark]);
  const toggle = () => {
    save('device', SCHEME, !isDark);
    setDark(!isDark);
  };
  return [isDark, toggle];
}

function findDarkRule(): CSSMediaRule | undefined {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.find(
    (rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.conditionText.includes('dark'),
  );
}

/**
 * Keeps the screen on while a component is shown, such as a projector's, which nobody touches for minutes. Browsers
 * allow it over https only, and a battery saver may refuse it.
 */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: Promise<WakeLockSentinel | undefined> | undefined;
    // A hidden page loses its lock.
    const request = () => {
      if (document.visibilityState === 'visible') lock = navigator.wakeLock?.request('screen').catch(() => undefined);
    };
    request();
    document.addEventListener('visibilitychange', request);
    return () => {
      document.removeEventListener('visibilitychange', request);
      void lock?.then((held) => held?.release());
    };
  }, []);
}
