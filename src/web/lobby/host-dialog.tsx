// A dialog of the host; the game goes on behind it.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import { useDialog } from '../ui/confirm-button.tsx';

export type HostDialogName = 'settings' | 'panel';

interface HostDialogProps {
  title: string;
  onClosed(): void;
  children: ComponentChildren;
}

export function HostDialog({ title, onClosed, children }: HostDialogProps) {
  const { t } = useI18n();
  const dialog = useDialog();
  const id = useId();
  return (
    <dialog ref={dialog} class="host-dialog" aria-labelledby={id} onClose={onClosed}>
      <div class="page-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
          {t.hosting.close}
        </button>
      </div>
      {children}
    </dialog>
  );
}
