// The waiting room before a game: its settings, the invitation and the players.
import { useEffect, useRef } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { useShareUrl } from '../frame/page-config.tsx';
import { OwnLine } from '../game/standings.tsx';
import { useI18n } from '../i18n/index.tsx';
import { Button } from '../ui/button.tsx';
import { ShareButtons } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { announce, Page, TextWithNames } from '../ui/page.tsx';
import { useWordsName } from '../words/names.ts';
import { LeaveButton, LockButton, PlayerList, Refusal, useHostName, usePlayers } from './player-list.tsx';
import type { LobbyGame } from './use-lobby.ts';

const MIN_PLAYERS = 2;
/** More players than this who come at once are announced by their number. */
const MAX_NAMED = 3;

interface WaitingRoomProps {
  game: LobbyGame;
  lobby: Lobby;
  onSettings(): void;
}

export function WaitingRoom({ game, lobby, onSettings }: WaitingRoomProps) {
  const { t } = useI18n();
  const user = useUser();
  const isHost = lobby.hostId === user.id;
  const players = usePlayers(lobby, isHost);
  useArrivals(players, lobby.capacity, user.id);
  const hostName = useHostName(lobby);
  return (
    <Page title={t.lobby} width="wide" aside={<LeaveButton game={game} lobby={lobby} />}>
      <OwnLine state={game.state} lobby={lobby} />
      <GameSettings lobby={lobby} />
      <Refusal game={game} />
      {isHost ? (
        <HostStart game={game} lobby={lobby} onSettings={onSettings} />
      ) : (
        <p class="hint">
          <TextWithNames text={t.waitForHost} names={[hostName]} />
        </p>
      )}
      <div class={isHost ? 'columns columns-room' : 'columns columns-room players-first'}>
        {(isHost || !lobby.compact) && (
          <section class="card" aria-label={t.shareLink}>
            <Invitation lobby={lobby} />
          </section>
        )}
        <section class="card" aria-label={t.players}>
          <PlayerList lobby={lobby} players={players} ownId={user.id} host={isHost ? game.host : undefined} />
        </section>
      </div>
    </Page>
  );
}

function HostStart({ game, lobby, onSettings }: WaitingRoomProps) {
  const { t } = useI18n();
  const isEnough = canStart(lobby);
  return (
    <>
      <div class="start">
        <Button
          class="primary"
          label={t.startGame}
          disabled={!isEnough || game.status !== 'live'}
          onClick={game.host.start}
        />
        {!isEnough && <p class="hint">{t.needTwo}</p>}
      </div>
      <div class="actions">
        <Button label={t.hosting.settings} onClick={onSettings} />
        <LockButton game={game} lobby={lobby} />
      </div>
    </>
  );
}

function GameSettings({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const { rounds, scoring, answerMode } = lobby.settings;
  return (
    <ul class="chips row">
      <li>
        <bdi>{wordsName(lobby.settings)}</bdi>
      </li>
      <li>
        {t.rounds}: {rounds}
      </li>
      <li>{t.scorings[scoring]}</li>
      {answerMode === 'typed' && (
        <li>
          {t.typed.label}: {t.typed.modes.typed}
        </li>
      )}
      {lobby.locked && (
        <li>
          <Icon name="lock" /> {t.hosting.locked}
        </li>
      )}
    </ul>
  );
}

/** @returns whether enough players are connected; a host who presents counts, too [contract 11] */
export function canStart({ connectedCount }: Lobby): boolean {
  return connectedCount >= MIN_PLAYERS;
}

/** Announces to screen readers who comes and goes. */
export function useArrivals(players: Lobby['players'], capacity: number, ownId: string): void {
  const { t } = useI18n();
  const here = useRef<Map<string, string> | null>(null);
  useEffect(() => {
    const before = here.current;
    const present = players.filter(({ connected, userId }) => connected && userId !== ownId);
    here.current = new Map(present.map(({ userId, name }) => [userId, name]));
    if (!before) return;
    const came = present.filter(({ userId }) => !before.has(userId));
    if (came.length > MAX_NAMED) announce(t.whoIsHere(present.length + 1, capacity));
    else for (const { name } of came) announce(t.joined(name));
    if (came.length > 0) playEffect('joined');
    for (const [userId, name] of before) if (!here.current.has(userId)) announce(t.gone(name));
  }, [players, capacity, ownId, t]);
}

const QrCode = lazy(async () => (await import('../ui/qr-code.tsx')).QrCode);

export function Invitation({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const user = useUser();
  const { code, settings, hostId } = lobby;
  const url = useShareUrl(`/lobby/${code}`);
  return (
    <>
      <div class="invitation row apart">
        <div>
          <p>{t.lobbyMore}</p>
          <p class="code" translate={false}>
            <span class="hint">{t.lobbyCode}</span> <strong>{code}</strong>
          </p>
        </div>
        {hostId === user.id && <QrCode text={url} label={t.qrCode} />}
      </div>
      <p class="share-link" translate={false}>
        <a href={url}>{url}</a>
      </p>
      <div class="actions">
        <ShareButtons url={url} text={t.shareText(user.name, wordsName(settings))} />
        {hostId === user.id && (
          <a href={`/lobby/${code}/screen`} target="_blank" rel="noopener" class="button secondary">
            <Icon name="frame" /> {t.stage.open}
          </a>
        )}
      </div>
    </>
  );
}
