// Settings that are right for most: said in a line, and unfolded by who wants others. Where there is
// room for all, nothing is folded.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

const ROOMY = '(min-width: 64rem)';

interface FoldProps {
  /** What is chosen now, in a few words. */
  summary: string;
  children: ComponentChildren;
}

export function Fold({ summary, children }: FoldProps) {
  const { t } = useI18n();
  const [room] = useState(() => matchMedia(ROOMY));
  const [isRoomy, setRoomy] = useState(room.matches);
  useEffect(() => {
    const changed = () => setRoomy(room.matches);
    room.addEventListener('change', changed);
    return () => room.removeEventListener('change', changed);
  }, [room]);
  if (isRoomy) return <div class="fold">{children}</div>;
  return (
    <details class="fold">
      <summary>
        <span>{summary}</span> <span class="fold-change">{t.change}</span>
      </summary>
      {children}
    </details>
  );
}
