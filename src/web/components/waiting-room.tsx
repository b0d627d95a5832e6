// Before the game: the invitation, and who is there.
import { useEffect, useRef } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { announce } from '../announce.tsx';
import { useI18n } from '../i18n/index.tsx';
import { useUser } from '../session.tsx';
import type { LobbyGame } from '../use-lobby.ts';
import { useWordsName } from '../use-words-name.ts';
import { Invitation } from './invitation.tsx';
import { LeaveButton } from './leave-button.tsx';
import { Named } from './named.tsx';
import { Notice } from './notice.tsx';
import { Page } from './page.tsx';
import { PlayerList } from './player-list.tsx';

const MIN_PLAYERS = 2;

export function WaitingRoom({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  useArrivals(lobby, user.id);
  const isHost = lobby.hostId === user.id;
  const hostName = lobby.players.find(({ isHost }) => isHost)?.name ?? t.host;
  const isEnough = lobby.players.filter(({ connected }) => connected).length >= MIN_PLAYERS;
  return (
    <Page
      title={t.lobby}
      width="wide"
      aside={<LeaveButton game={game} consequence={isHost ? t.leaveAsHost : t.leaveWaiting} />}
    >
      <GameSettings lobby={lobby} />
      {game.refusal && (
        <Notice kind="error">{t.errors[game.refusal] ?? t.errors.INTERNAL_ERROR}</Notice>
      )}
      {isHost ? (
        <div class="start">
          <button
            type="button"
            class="primary"
            disabled={!isEnough || game.status !== 'live'}
            onClick={game.start}
          >
            {t.startGame}
          </button>
          {!isEnough && <p class="hint">{t.needTwo}</p>}
        </div>
      ) : (
        <p class="hint">
          <Named text={t.waitForHost} names={[hostName]} />
        </p>
      )}
      <div class="columns">
        <section class="card" aria-label={t.shareLink}>
          <Invitation lobby={lobby} />
        </section>
        <section class="card" aria-label={t.standings}>
          <PlayerList lobby={lobby} ownId={user.id} />
        </section>
      </div>
    </Page>
  );
}

function GameSettings({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const wordsName = useWordsName();
  const { pos, difficulty, rounds, scoring } = lobby.settings;
  return (
    <ul class="chips">
      <li>{wordsName(lobby.settings)}</li>
      {pos && (
        <li>
          {t.partsOfSpeech[pos]} · {difficulty}
        </li>
      )}
      <li>
        {t.rounds}: {rounds}
      </li>
      <li>{t.scorings[scoring]}</li>
    </ul>
  );
}

/** Says who comes and goes. */
function useArrivals({ players }: Lobby, ownId: string): void {
  const { t } = useI18n();
  const here = useRef<Map<string, string> | null>(null);
  useEffect(() => {
    const before = here.current;
    const present = players.filter(({ connected, userId }) => connected && userId !== ownId);
    here.current = new Map(present.map(({ userId, name }) => [userId, name]));
    if (!before) return;
    for (const [userId, name] of here.current) if (!before.has(userId)) announce(t.joined(name));
    for (const [userId, name] of before) if (!here.current.has(userId)) announce(t.gone(name));
  }, [players, ownId, t]);
}
