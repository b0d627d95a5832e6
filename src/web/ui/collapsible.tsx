// Collapses settings whose defaults suit most users to a summary. On a wide screen they are always visible.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';

const ROOMY = '(min-width: 64rem)';

interface CollapsibleProps {
  /** The current settings in a few words. */
  summary: string;
  children: ComponentChildren;
}

export function Collapsible({ summary, children }: CollapsibleProps) {
  const { t } = useI18n();
  const [room] = useState(() => matchMedia(ROOMY));
  const [isRoomy, setRoomy] = useState(room.matches);
  useEffect(() => {
    const changed = () => setRoomy(room.matches);
    room.addEventListener('change', changed);
    return () => room.removeEventListener('change', changed);
  }, [room]);
  if (isRoomy) return <div class="collapsible">{children}</div>;
  return (
    <details class="collapsible">
      <summary>
        <span>{summary}</span> <span class="collapsible-change">{t.change}</span>
      </summary>
      {children}
    </details>
  );
}
