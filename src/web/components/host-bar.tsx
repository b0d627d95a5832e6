// What a host does while the game runs, where a thumb finds it: on to what comes next, and the way to
// everything else.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import { Icon } from './icon.tsx';

interface HostBarProps {
  lobby: Lobby;
  /** What `onNext` does, in words. */
  text: string;
  /** Whether it is what one is here for. */
  isMain?: boolean;
  onNext(): void;
  onManage(): void;
}

/** Nothing for anybody but the host. */
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
