// The frame of a screen: its title, which names the window too and gets the focus, so that who uses
// the keyboard or a screen reader begins where the screen does.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

export interface PageProps {
  title: string;
  /** The title as it is shown, where that is more than text. */
  heading?: ComponentChildren;
  /** Stands beside the title. */
  aside?: ComponentChildren;
  /** `wide` for two columns where there is room. */
  width?: 'narrow' | 'wide';
  /** The title is for screen readers alone. */
  isTitleHidden?: boolean;
  /** The question needs the room: little else is shown on small screens. */
  isGame?: boolean;
  children: ComponentChildren;
}

export function Page(props: PageProps) {
  const {
    title,
    heading: shown = title,
    aside,
    width = 'narrow',
    isTitleHidden,
    isGame,
    children,
  } = props;
  const { t } = useI18n();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // Not when something inside, which is shown first, has taken it already: a question.
    const frame = heading.current?.closest('.page');
    if (!frame?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    document.title = `${title} · ${t.appName}`;
  }, [title, t]);
  return (
    <div class={`page page-${width} ${isGame ? 'page-game' : ''}`}>
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1} class={isTitleHidden ? 'visually-hidden' : undefined}>
          {shown}
        </h1>
        {aside}
      </div>
      {children}
    </div>
  );
}

/** @returns a ref for the element that gets the focus when it is first shown */
export function useFocusWhenShown() {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    // Where the screen before had been scrolled to is of no interest.
    scrollTo(0, 0);
    element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
