// Out of a lobby for good, after a question: it can't be undone everywhere.
import { useId, useRef } from 'preact/hooks';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../use-lobby.ts';

/** @param props.consequence what leaving means at this point */
export function LeaveButton({ game, consequence }: { game: LobbyGame; consequence: string }) {
  const { t } = useI18n();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  return (
    <>
      <button type="button" class="quiet" onClick={() => dialog.current?.showModal()}>
        {t.leave}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <h2 id={id}>{t.leaveAsk}</h2>
        <p>{consequence}</p>
        <div class="actions">
          <button type="button" class="secondary" onClick={() => dialog.current?.close()}>
            {t.stay}
          </button>
          <button
            type="button"
            class="primary"
            disabled={game.status !== 'live'}
            onClick={game.leave}
          >
            {t.leave}
          </button>
        </div>
      </dialog>
    </>
  );
}
