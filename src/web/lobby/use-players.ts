// The players of a lobby. The messages of a compact lobby name only the host and the receiver, so that a host's
// screens request the others when their number has changed. [contract 19]
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { monotonicMs } from '../game/clock.ts';
import { useI18n } from '../i18n/index.tsx';
import { announce } from '../ui/announce.tsx';

/** The most players that the service sends at once. */
const PAGE = 200;
/**
 * The pause between two requests, ms. Requests are limited to 150 in 15 minutes, so that the pause is longer after
 * the first ones, with which a class has arrived.
 */
const PAUSE_MS = { first: 2000, later: 12_000 };
const FIRST_REQUESTS = 60;

type Player = Lobby['players'][number];

/**
 * @param areShown whether the screen shows all players
 * @returns the players as far as they are known, in the order in which they joined
 */
export function usePlayers(lobby: Lobby, areShown = true): Player[] {
  const { code, playerCount, connectedCount } = lobby;
  const areAsked = lobby.compact && areShown;
  const [found, setFound] = useState<Player[] | null>(null);
  const [failures, setFailures] = useState(0);
  const requests = useRef({ count: 0, nextAtMs: 0 });
  useEffect(() => {
    if (!areAsked) return;
    const timer = setTimeout(() => {
      const count = ++requests.current.count;
      const pauseMs = count <= FIRST_REQUESTS ? PAUSE_MS.first : PAUSE_MS.later;
      requests.current.nextAtMs = monotonicMs() + pauseMs;
      findPlayers(code).then(setFound, () => {
        requests.current.nextAtMs = monotonicMs() + PAUSE_MS.later;
        setFailures((before) => before + 1);
      });
    }, requests.current.nextAtMs - monotonicMs());
    return () => clearTimeout(timer);
  }, [code, areAsked, playerCount, connectedCount, failures]);
  return (areAsked && found) || lobby.players;
}

async function findPlayers(code: string): Promise<Player[]> {
  const players: Player[] = [];
  let after: string | undefined;
  do {
    const page = await client.listPlayers(code, { limit: PAGE, after });
    players.push(...page.players);
    after = page.next ?? undefined;
  } while (after !== undefined);
  return players;
}

/** How long the screen says that the user has become the host, ms. */
const NEWS_MS = 8000;

/** @returns the host's name */
export function useHostName({ players }: Lobby): string {
  const { t } = useI18n();
  return players.find(({ isHost }) => isHost)?.name ?? t.host;
}

/**
 * The host's role. It passes to another player when the host leaves, and the new host is notified.
 * @returns whether the user is the host, and whether the user has just become it
 */
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
