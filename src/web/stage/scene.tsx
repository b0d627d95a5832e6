// One picture on the stage: its title names the window, and gets the focus, so that a screen reader
// begins there.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useFocusWhenShown } from '../components/page.tsx';
import { useI18n } from '../i18n/index.tsx';

interface SceneProps {
  name: string;
  /** Whether what is to be read needs smaller letters. */
  isLong?: boolean;
  title: string;
  /** The title as it is shown, where that is more than text. */
  heading?: ComponentChildren;
  /** Stands beside the title. */
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
