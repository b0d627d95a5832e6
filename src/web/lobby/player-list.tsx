// The players of a lobby and whether each is connected, and what players and hosts do to a lobby: leave it, remove others
// and lock it; a refused command is explained. The messages of a compact lobby name only the host and the receiver, so that
// a host's screens request the others when their number has changed. [contract 19]
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { announce, Notice, TextWithNames } from '../ui/page.tsx';
import type { HostCommands, LobbyGame } from './use-lobby.ts';

/** More players than this are shown closer together. */
const CROWD_FROM = 12;

interface PlayerListProps {
  lobby: Lobby;
  /** The known players; in a compact lobby `lobby` does not name all. */
  players: Lobby['players'];
  ownId: string;
  /** Undefined unless the user is the host. */
  host?: HostCommands | undefined;
}

export function PlayerList({ lobby, players, ownId, host }: PlayerListProps) {
  const { t } = useI18n();
  const isCrowd = players.length > CROWD_FROM;
  const removeAndLock = (userId: string) => {
    host?.kick(userId);
    host?.lock(true);
  };
  const ownFirst = [...players].sort((one, other) => Number(other.userId === ownId) - Number(one.userId === ownId));
  return (
    <>
      <h2 translate={false}>{t.whoIsHere(lobby.connectedCount, lobby.capacity)}</h2>
      <ul class={`players ${isCrowd ? 'players-many' : ''} ${host ? 'is-hosts' : ''}`}>
        {ownFirst.map(({ userId, name, isHost, connected }) => (
          <li key={userId} class={`${connected ? 'is-here' : 'is-away'} ${userId === ownId ? 'is-own' : ''}`}>
            <span class="avatar" aria-hidden="true" translate={false}>
              {[...name][0]}
            </span>
            <span class="name">
              <bdi>{name}</bdi>
              {userId === ownId && <small> ({t.you})</small>}
              {isHost && <small class="tag">{t.host}</small>}
            </span>
            <small class="presence">{connected ? t.online : t.away}</small>
            {host && userId !== ownId && (
              <ConfirmButton
                icon="cross"
                label={<TextWithNames text={t.hosting.remove} names={[name]} />}
                question={<TextWithNames text={t.hosting.removeAsk} names={[name]} />}
                consequence={lobby.locked ? t.hosting.removeLocked : t.hosting.removeMore}
                action={() => host.kick(userId)}
                also={
                  lobby.locked ? undefined : { label: t.hosting.removeAndLock, action: () => removeAndLock(userId) }
                }
              />
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

export function LockButton({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const { locked } = lobby;
  return (
    <Button icon="lock" label={locked ? t.hosting.unlock : t.hosting.lock} onClick={() => game.host.lock(!locked)} />
  );
}

/** Explains why the user's last command was refused. */
export function Refusal({ game: { refusal } }: { game: LobbyGame }) {
  const { t } = useI18n();
  if (!refusal) return null;
  return <Notice kind="error">{t.errors[refusal] ?? t.errors.INTERNAL_ERROR}</Notice>;
}

/** The confirmation says what leaving means now. */
export function LeaveButton({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const isHost = lobby.hostId === useUser().id;
  const isWaiting = lobby.status === 'waiting';
  const ofHost = isWaiting ? t.leaveAsHost : t.stage.leaveRunning;
  const ofPlayer = isWaiting ? t.leaveWaiting : lobby.settings.lateJoin ? t.leaveLate : t.leaveRunning;
  return (
    <ConfirmButton
      label={t.leave}
      question={t.leaveAsk}
      consequence={isHost ? ofHost : ofPlayer}
      stay={t.stay}
      isDisabled={game.status !== 'live'}
      action={game.leave}
    />
  );
}

/** Leaves a lobby whose game is over and goes home. The others then do not wait for this host to start another game. */
export function HomeButton({ game, class: kind }: { game: LobbyGame; class: 'secondary' | 'quiet' }) {
  const { t } = useI18n();
  const goHome = () => {
    game.leave();
    navigate('/');
  };
  return <Button class={kind} label={t.home} onClick={goHome} />;
}

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
      requests.current.nextAtMs = performance.now() + pauseMs;
      findPlayers(code).then(setFound, () => {
        requests.current.nextAtMs = performance.now() + PAUSE_MS.later;
        setFailures((before) => before + 1);
      });
    }, requests.current.nextAtMs - performance.now());
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
