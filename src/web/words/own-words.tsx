// The button that takes own words instead of those that are offered. What it opens is loaded then.
import { useState } from 'preact/hooks';
import type { ListRequest } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { lazyScreen } from '../ui/lazy.tsx';

const PasteWords = lazyScreen(async () => (await import('../lists/list-editor.tsx')).PasteWords);

export function OwnWords(props: { text: string; use(list: ListRequest): Promise<unknown> }) {
  const { t } = useI18n();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <PasteWords {...props} />;
  return <Button label={t.lists.pasteOwn} onClick={() => setOpen(true)} />;
}
