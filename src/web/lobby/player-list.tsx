// The players of a lobby and whether each is connected, and what players and hosts do to a lobby: leave it, remove others
// and lock it; a refused command is explained.
import type { Lobby } from '../../lobby/schema.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { Button, ConfirmButton } from '../ui/button.tsx';
import { Notice } from '../ui/page.tsx';
import { TextWithNames } from '../ui/text-with-names.tsx';
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
