// The end of a game: the winners, all places, and the words that the user missed.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import type { Score } from '../../match/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import type { Texts } from '../i18n/en/index.ts';
import { useI18n } from '../i18n/index.tsx';
import { HardestAsHomework } from '../lists/hardest-words.tsx';
import { HomeButton, Refusal, useHostName } from '../lobby/player-list.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { missedBy, practise } from '../quiz/practice.ts';
import { missedWord } from '../quiz/quiz-state.ts';
import { Button, Link } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Card, Page, type PageProps, TextWithNames, useFrame } from '../ui/page.tsx';
import { type GameState, playersIn } from './game-state.ts';
import { GuestOffer } from './guest-offer.tsx';
import { type RankedScore, rankScores } from './ranking.ts';
import { MissedWords } from './solution.tsx';
import { OwnLine, Standings } from './standings.tsx';

/** The number of steps that fit a phone. If more players share the first places, there is no podium. */
const MAX_STEPS = 4;
const LAST_PLACE_ON_IT = 3;

export function Podium({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const { state } = game;
  const { scores, winnerIds } = state;
  const own = scores.find(({ userId }) => userId === user.id);
  const steps = podiumOf(scores);
  const hasWon = own !== undefined && own.score > 0 && winnerIds?.includes(own.userId) === true;
  useCelebration(
    hasWon,
    steps.map(({ place }) => place),
  );
  const missed = missedBy(user.id, state, game.answerTo);
  const practiseMissed = () => {
    const { sourceLanguage, targetLanguage } = lobby.settings;
    const words = { sourceLanguage, targetLanguage };
    saveQuiz(user.id, practise(missed, words, lobby.code));
    navigate('/quiz');
  };
  return (
    <Page {...outcome(t, scores, winnerIds ?? [], user.id)} width="wide">
      {own && <OwnLine state={state} lobby={lobby} />}
      <PodiumSteps steps={steps} winnerIds={winnerIds ?? []} />
      <PodiumActions game={game} lobby={lobby} />
      <div class="columns">
        <section class="card" aria-label={t.standings}>
          <Standings scores={scores} ownId={user.id} players={playersIn(scores, lobby)} isExpandable />
          {state.gameId && (
            <p>
              <Link to={`/games/${state.gameId}`}>{t.allAnswers}</Link>
            </p>
          )}
        </section>
        {missed.length > 0 && (
          <Card title={t.missed}>
            <MissedWords words={missed.map(missedWord)} {...lobby.settings} />
            <Button label={t.practise} onClick={practiseMissed} />
          </Card>
        )}
      </div>
      <GuestOffer />
    </Page>
  );
}

/** Another game with the same players, which only the host can start, or home. */
function PodiumActions({ game, lobby }: { game: LobbyGame; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const isHost = lobby.hostId === user.id;
  const hostName = useHostName(lobby);
  return (
    <>
      <div class="actions centered">
        {isHost && !game.failure && (
          <Button class="primary" label={t.playAgain} disabled={game.status !== 'live'} onClick={game.host.again} />
        )}
        {isHost && lobby.gameId && <HardestAsHomework gameId={lobby.gameId} class="secondary" />}
        <HomeButton game={game} class="secondary" />
      </div>
      <Refusal game={game} />
      {!game.failure && (
        <p class="hint centered">
          {isHost ? t.playAgainMore : <TextWithNames text={t.waitForAgain} names={[hostName]} />}
        </p>
      )}
    </>
  );
}

/** @returns the scores on the podium, highest first; none if there are more than fit */
export function podiumOf(scores: Score[]): RankedScore[] {
  const steps = rankScores(scores).filter(({ place, score }) => place <= LAST_PLACE_ON_IT && score > 0);
  return steps.length > MAX_STEPS ? [] : steps;
}

/** The podium is hidden from screen readers, since the standings beside it say the same. */
export function PodiumSteps({ steps, winnerIds }: { steps: RankedScore[]; winnerIds: string[] }) {
  const { t } = useI18n();
  useFrame(steps.length > 0 ? 'in-suspense' : '');
  if (steps.length === 0) return null;
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

/** @param ownId the player who reads it; '' on a screen for everybody */
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
  return { title: text(names.join(', ')), heading: <TextWithNames text={text} names={names} /> };
}

/** When a place of the podium appears, ms after the screen; style/podium.css has the same times. */
const APPEARS_MS: Record<number, number> = { 3: 400, 2: 1500, 1: 2800 };

/**
 * The sounds at the end of a game, and confetti for winners. The places of a podium appear one by one, the third first.
 * @param isWinner whether there is somebody to celebrate
 * @param places the places on the podium; without any the end is not delayed
 */
export function useCelebration(isWinner: boolean, places: readonly number[]): void {
  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const after = (place: number, effect: () => void) =>
      setTimeout(effect, isCalm || places.length === 0 ? 0 : APPEARS_MS[place]);
    const over = new AbortController();
    const end = () => {
      playEffect(isWinner ? 'won' : 'over');
      if (isWinner && !isCalm)
        import('../effects/confetti.ts').then(({ throwConfetti }) => throwConfetti(over.signal)).catch(() => {});
    };
    const drums = places.filter((place) => place > 1 && !isCalm);
    const timers = [...drums.map((place) => after(place, () => playEffect('tick'))), after(1, end)];
    return () => {
      over.abort();
      timers.forEach(clearTimeout);
    };
  }, [isWinner]);
}
