// Why the last thing that somebody did in a lobby was refused.
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { Notice } from './notice.tsx';

export function Refusal({ game: { refusal } }: { game: LobbyGame }) {
  const { t } = useI18n();
  if (!refusal) return null;
  return <Notice kind="error">{t.errors[refusal] ?? t.errors.INTERNAL_ERROR}</Notice>;
}
