// The end of a game: who has won, everybody's place, and the words one missed.
import type { Lobby } from '../../lobby/schema.ts';
import type { Score } from '../../match/schema.ts';
import { useCelebration } from '../effects/celebrate.ts';
import type { GameState } from '../game-state.ts';
import type { Texts } from '../i18n/en.ts';
import { useI18n } from '../i18n/index.tsx';
import { keepQuiz } from '../kept.ts';
import { missedBy, practise } from '../practice.ts';
import { missedWord } from '../quiz-state.ts';
import { randomInt } from '../random.ts';
import { navigate } from '../router.ts';
import { useUser } from '../session.tsx';
import { placesOf } from '../standings.ts';
import { useHostName } from '../use-host-role.ts';
import type { LobbyGame } from '../use-lobby.ts';
import { GuestOffer } from './guest-offer.tsx';
import { HomeButton } from './home-button.tsx';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';
import { MissedWords } from './missed-words.tsx';
import { Named } from './named.tsx';
import { Page, type PageProps } from './page.tsx';
import { Refusal } from './refusal.tsx';
import { Standings } from './standings.tsx';

/** More steps than these don't fit a phone, as when five people share the first place. */
const MAX_STEPS = 4;
const LAST_PLACE_ON_IT = 3;

export function Podium({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const { state } = game;
  const { scores, winnerIds } = state;
  const own = scores.find(({ userId }) => userId === user.id);
  useCelebration(own !== undefined && own.score > 0 && winnerIds?.includes(own.userId) === true);
  const missed = missedBy(user.id, state);
  const practiseMissed = () => {
    const { sourceLanguage, targetLanguage } = lobby.settings;
    const words = { sourceLanguage, targetLanguage };
    keepQuiz(user.id, practise(missed, words, randomInt, lobby.code));
    navigate('/quiz');
  };
  return (
    <Page {...outcome(t, scores, winnerIds ?? [], user.id)} width="wide">
      <Steps scores={scores} winnerIds={winnerIds ?? []} />
      <WhatNext game={game} lobby={lobby} />
      <GuestOffer />
      <div class="columns">
        <section class="card" aria-label={t.standings}>
          <Standings scores={scores} ownId={user.id} isExpandable />
          {state.gameId && (
            <p>
              <Link to={`/games/${state.gameId}`}>{t.allAnswers}</Link>
            </p>
          )}
        </section>
        {missed.length > 0 && (
          <section class="card" aria-labelledby="missed">
            <h2 id="missed">{t.missed}</h2>
            <MissedWords words={missed.map(missedWord)} {...lobby.settings} />
            <button type="button" class="secondary" onClick={practiseMissed}>
              {t.practise}
            </button>
          </section>
        )}
      </div>
    </Page>
  );
}

/** Once more with the same people, as the host wants it; or home, for good. */
function WhatNext({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const isHost = lobby.hostId === user.id;
  const hostName = useHostName(lobby);
  return (
    <>
      <div class="actions centered">
        {isHost && !game.failure && (
          <button
            type="button"
            class="primary"
            disabled={game.status !== 'live'}
            onClick={game.host.again}
          >
            {t.playAgain}
          </button>
        )}
        <HomeButton game={game} class="secondary" />
      </div>
      <Refusal game={game} />
      {!game.failure && (
        <p class="hint centered">
          {isHost ? t.playAgainMore : <Named text={t.waitForAgain} names={[hostName]} />}
        </p>
      )}
    </>
  );
}

/** Seen only: the list beside it says the same. */
export function Steps({ scores, winnerIds }: { scores: Score[]; winnerIds: string[] }) {
  const { t } = useI18n();
  const steps = placesOf(scores).filter(
    ({ place, score }) => place <= LAST_PLACE_ON_IT && score > 0,
  );
  if (steps.length > MAX_STEPS) return null;
  return (
    <div class={`podium podium-${steps.length}`} aria-hidden="true">
      {steps.map(({ userId, name, score, place }) => (
        <div key={userId} class={`step step-${place}`}>
          <span class="step-name">
            {winnerIds.includes(userId) && <Icon name="crown" />}
            <bdi>{name}</bdi>
          </span>
          <span class="step-block">
            <strong>{t.place(place)}</strong>
            <span>{t.pointsInWords(score)}</span>
          </span>
        </div>
      ))}
    </div>
  );
}

/** @returns how a game ended, to whoever reads it: a player, or a whole room */
export function outcome(
  t: Texts,
  scores: GameState['scores'],
  winnerIds: string[],
  ownId: string,
): Pick<PageProps, 'title' | 'heading'> {
  if (scores.every(({ score }) => score === 0)) return { title: t.nobodyScored };
  const names = scores.filter(({ userId }) => winnerIds.includes(userId)).map(({ name }) => name);
  if (winnerIds.includes(ownId)) return { title: winnerIds.length > 1 ? t.youTied : t.youWon };
  if (names.length > MAX_STEPS) return { title: t.manyTied(names.length) };
  const text = names.length > 1 ? t.someTied : t.someoneWon;
  return { title: text(names.join(', ')), heading: <Named text={text} names={names} /> };
}
