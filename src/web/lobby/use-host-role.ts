// The host's role. It passes to another player when the host leaves, and the new host is notified.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/announce.tsx';

/** How long the screen says that the user has become the host, ms. */
const NEWS_MS = 8000;

/** @returns the host's name */
export function useHostName({ players }: Lobby): string {
  const { t } = useI18n();
  return players.find(({ isHost }) => isHost)?.name ?? t.host;
}

/** @returns whether the user is the host, and whether the user has just become it */
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
