// The frame of a screen, and the messages on it. The title is the document's title as well, and gets the focus, so that
// keyboards and screen readers begin there.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { useQuiet } from './announce.tsx';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

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
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  useQuiet();
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // A child's layout effect runs first, so that a question may have the focus already.
    const frame = heading.current?.closest('.page');
    if (!frame?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, []);
  useFrame(`in-${width} ${isGame ? 'in-game' : ''}`);
  useEffect(() => {
    document.title = `${title} · ${t.appName}`;
  }, [title, t]);
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

/** @returns a ref for the element that gets the focus when it is mounted */
export function useFocusWhenShown() {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // A child's layout effect runs first, so that the field for an answer may have the focus already.
    const section = element.current?.closest('section');
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

/** A section with its title. */
export function Card({
  title,
  icon,
  children,
}: {
  title: ComponentChildren;
  icon?: IconName;
  children: ComponentChildren;
}) {
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
