// The host's role, which passes on when a host leaves: whoever gets it is told.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Lobby } from '../lobby/schema.ts';
import { announce } from './announce.tsx';
import { useI18n } from './i18n/index.tsx';
import { useUser } from './session.tsx';

/** So long it is on the screen that the role is new. */
const NEWS_MS = 8000;

/** @returns what the host is called */
export function useHostName({ players }: Lobby): string {
  const { t } = useI18n();
  return players.find(({ isHost }) => isHost)?.name ?? t.host;
}

/** @returns whether the role is the user's, and whether it has just become so */
export function useHostRole(lobby: Lobby | null): { isHost: boolean; isNew: boolean } {
  const { t } = useI18n();
  const user = useUser();
  const [isNew, setNew] = useState(false);
  const hostId = lobby?.hostId;
  const before = useRef(hostId);
  useEffect(() => {
    const isPassedOn = before.current !== undefined && before.current !== hostId;
    before.current = hostId;
    setNew(isPassedOn && hostId === user.id);
  }, [hostId, user.id]);
  useEffect(() => {
    if (!isNew) return;
    announce(t.hosting.now);
    const timer = setTimeout(() => setNew(false), NEWS_MS);
    return () => clearTimeout(timer);
  }, [isNew]);
  return { isHost: hostId === user.id, isNew };
}
