// The frame of each screen on the projector. Its title gets the focus, so that a screen reader begins there.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { useFocusWhenShown } from '../ui/page.tsx';

interface SceneProps {
  name: string;
  /** Whether the text needs smaller letters. */
  isLong?: boolean;
  title: string;
  /** Replaces the title on the screen if it needs markup. */
  heading?: ComponentChildren;
  /** Shown beside the title. */
  aside?: ComponentChildren;
  children: ComponentChildren;
}

export function Scene({ name, isLong = false, title, heading, aside, children }: SceneProps) {
  const { t } = useI18n();
  const shown = useFocusWhenShown();
  useEffect(() => {
    document.title = `${title} · ${t.appName}`;
  }, [title, t]);
  return (
    <section class={`scene scene-${name} ${isLong ? 'is-long' : ''}`}>
      <div class="scene-head">
        <h1 ref={shown} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {aside}
      </div>
      {children}
    </section>
  );
}
