// The frame of a screen, the messages on it, and those for screen readers. The title is the document's title as well, and
// gets the focus, so that keyboards and screen readers begin there.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface PageProps {
  title: string;
  /** Replaces the title on the screen if it needs markup. */
  heading?: ComponentChildren;
  /** Shown below the title. */
  subtitle?: ComponentChildren;
  /** Shown beside the title. */
  aside?: ComponentChildren;
  /** `wide` leaves room for two columns. */
  width?: 'narrow' | 'wide';
  /** Whether only screen readers get the title. */
  isTitleHidden?: boolean;
  /** Whether small screens hide most things beside the question. */
  isGame?: boolean;
  children: ComponentChildren;
}

/**
 * Adds classes to the element around everything, on which the header and the footer depend. Firefox before 121 has no
 * `:has()`.
 * @param classes separated by spaces; it may be empty
 */
export function useFrame(classes: string): void {
  useLayoutEffect(() => {
    const names = classes.split(' ').filter(Boolean);
    const frame = document.getElementById('app')?.classList;
    frame?.add(...names);
    return () => frame?.remove(...names);
  }, [classes]);
}

export function Page(props: PageProps) {
  const { title, heading: shown = title, subtitle, aside, width = 'narrow', isTitleHidden, isGame, children } = props;
  const heading = useTitle(title);
  useFrame(`in-${width} ${isGame ? 'in-game' : ''}`);
  return (
    <div class={`page stack page-${width} ${isGame ? 'page-game' : ''}`}>
      <div class="page-head row apart">
        <div class={isTitleHidden ? 'visually-hidden' : undefined}>
          <h1 ref={heading} tabIndex={-1}>
            {shown}
          </h1>
          {subtitle}
        </div>
        {aside}
      </div>
      {children}
    </div>
  );
}

/**
 * Gives the document a screen's title, and clears what was announced on the screen before. Announcements of a new screen
 * are effects, which come later.
 * @returns a ref for the heading, which gets the focus
 */
export function useTitle(title: string) {
  const { t } = useI18n();
  useLayoutEffect(() => announce(''), []);
  useEffect(() => {
    document.title = `${title} · ${t.appName}`;
  }, [title, t]);
  return useFocusWhenShown();
}

/** @returns a ref for the element that gets the focus when it is mounted */
export function useFocusWhenShown() {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // A child's layout effect runs first, so that the field for an answer may have the focus already.
    const section = element.current?.closest('.page, section');
    if (!section?.contains(document.activeElement)) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}

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

interface CardProps {
  title: ComponentChildren;
  icon?: IconName;
  children: ComponentChildren;
}

/** A section with its title. */
export function Card({ title, icon, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>
        {icon && <Icon name={icon} />} {title}
      </h2>
      {children}
    </section>
  );
}

/** Stands for the names while the sentence is split; none of the page's texts has it. */
const PLACE = '\uFFFC';

/** @param props.text makes the sentence from the names */
export function TextWithNames({ text, names }: { text(names: string): string; names: string[] }) {
  const [before, after] = text(PLACE).split(PLACE);
  return (
    <>
      {before}
      {names.map((name, at) => (
        <>
          {at > 0 && ', '}
          <bdi>{name}</bdi>
        </>
      ))}
      {after}
    </>
  );
}

const ANNOUNCED = 'page:said';

/** Screen readers say `text` after what they are saying now. */
export function announce(text: string): void {
  dispatchEvent(new CustomEvent(ANNOUNCED, { detail: text }));
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
