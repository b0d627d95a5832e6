// The host's buttons during a game: the next step, and the panel with everything else.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';

interface HostBarProps {
  lobby: Lobby;
  /** The label of the button for `onNext`. */
  text: string;
  /** Whether it is the main button of the screen. */
  isMain?: boolean;
  onNext(): void;
  onManage(): void;
}

/** Renders nothing for other players. */
export function HostBar({ lobby, text, isMain = false, onNext, onManage }: HostBarProps) {
  const { t } = useI18n();
  const user = useUser();
  if (lobby.hostId !== user.id) return null;
  return (
    <div class="host-bar">
      <button type="button" class={isMain ? 'primary' : 'secondary'} onClick={onNext}>
        {text}
      </button>
      <button type="button" class="quiet host-more" onClick={onManage}>
        <Icon name="dots" />
        <span class="visually-hidden">{t.hosting.manage}</span>
      </button>
    </div>
  );
}
