// Explains why the user's last command was refused.
import { useI18n } from '../i18n/index.tsx';
import { Notice } from '../ui/notice.tsx';
import type { LobbyGame } from './use-lobby.ts';

export function Refusal({ game: { refusal } }: { game: LobbyGame }) {
  const { t } = useI18n();
  if (!refusal) return null;
  return <Notice kind="error">{t.errors[refusal] ?? t.errors.INTERNAL_ERROR}</Notice>;
}
