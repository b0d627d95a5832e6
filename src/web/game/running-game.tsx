// The screens of a game for somebody who plays: a round and its result, each with the host's bar, and then the podium.
// They are loaded while the player is in the waiting room.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import { playEffect } from '../effects/effects.tsx';
import { Listen } from '../effects/listen.tsx';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import { UNTIL_HOST_MS } from '../lobby/lobby-choices.ts';
import { LeaveButton, useHostName } from '../lobby/player-list.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { announce, Notice, Page, Spinner, TextWithNames } from '../ui/page.tsx';
import { AnswerBars } from './answer-bars.tsx';
import { answerOf, givenText, headlineOf, rightText, verdictText } from './answers.ts';
import { type GameState, type OpenRound, playersIn, playsIn, type ResolvedRound } from './game-state.ts';
import { Podium } from './podium.tsx';
import { QuestionCard } from './question-card.tsx';
import { rankScores, streakOf } from './ranking.ts';
import { Seal, Solution, TypedResult } from './solution.tsx';
import { meantText } from './spelling.ts';
import { OwnLine, PlaceChange, Standings } from './standings.tsx';
import { GetReady, TimeBar, TimerRing, useOpening } from './timer.tsx';

interface RoundResultProps extends Omit<RunningGameProps, 'result'> {
  result: ResolvedRound;
}

interface RunningGameProps {
  game: LobbyGame;
  lobby: Lobby;
  /** The round whose result is to be shown. */
  result: ResolvedRound | null;
  /** Shows the next round, which is open already. */
  onPass(): void;
  onManage(): void;
}

export function RunningGame(props: RunningGameProps) {
  const { game, lobby, result, onManage } = props;
  const { t } = useI18n();
  if (result) return <RoundResult key={result.number} {...props} result={result} />;
  const { round, winnerIds } = game.state;
  if (winnerIds) return <Podium game={game} lobby={lobby} />;
  if (round) return <Round key={round.number} round={round} game={game} lobby={lobby} onManage={onManage} />;
  return <Spinner text={game.state.resolved.length > 0 ? t.judging : t.joining} />;
}

/**
 * An open round: the question, the time and the user's answer, with the last round's result beside them. It does not
 * show who else has answered.
 */
function Round(props: Pick<RunningGameProps, 'game' | 'lobby' | 'onManage'> & { round: OpenRound }) {
  const { round, game, lobby, onManage } = props;
  const { t } = useI18n();
  const user = useUser();
  const { state, ownAnswer, refusal } = game;
  const opening = useOpening(round, lobby);
  const last = state.resolved.at(-1);
  // A player who was here before has seen the earlier rounds.
  const isLate = round.number > 1 && !last;
  return (
    <Page
      title={t.roundOf(round.number, round.total)}
      subtitle={<OwnLine state={state} lobby={lobby} />}
      width="wide"
      isGame
      aside={
        <>
          {round.countdown && <TimerRing countdown={round.countdown} />}
          <LeaveButton game={game} lobby={lobby} />
        </>
      }
    >
      {isLate && <Notice kind="info">{t.cameLate}</Notice>}
      <div class="columns columns-game">
        {opening === 'counting' ? (
          <GetReady round={round} lobby={lobby} />
        ) : (
          <QuestionCard
            key={round.question.questionId}
            question={round.question}
            deck={lobby.settings}
            isReading={opening === 'reading'}
            isOpen={ownAnswer === null && playsIn(lobby, user.id)}
            given={ownAnswer}
            judged={null}
            onAnswer={(given) => {
              playEffect('chosen');
              game.answer(given);
            }}
          >
            <div class="locked" role="status">
              {ownAnswer !== null && !refusal && <AnswerStatus game={game} />}
            </div>
            {refusal === 'ROUND_CLOSED' && <Notice kind="info">{t.tooLate}</Notice>}
            {refusal === 'ALREADY_ANSWERED' && <Notice kind="info">{t.otherTab}</Notice>}
            <HostBar
              lobby={lobby}
              text={t.hosting.skip}
              onNext={() => game.host.next(round.number, 'round')}
              onManage={onManage}
            />
          </QuestionCard>
        )}
        {last && (
          <aside class="card on-roomy">
            <Standings scores={state.scores} ownId={user.id} />
            <h2>{t.lastRoundResult}</h2>
            {last.question && (
              <p>
                <Solution question={last.question} solution={last} direction={lobby.settings} />
              </p>
            )}
            <AnswerBars result={last} lobby={lobby} ownId={user.id} />
          </aside>
        )}
      </div>
    </Page>
  );
}

/** Says that the answer is on its way, and, once the service is known to have it, that it counts. */
function AnswerStatus({ game: { isAnswered, status } }: { game: LobbyGame }) {
  const { t } = useI18n();
  if (!isAnswered) return <p>{status === 'live' ? t.sendingAnswer : t.offline}</p>;
  return (
    <p>
      <Icon name="lock" /> {t.lockedIn} <small>{t.waitForOthers}</small>
    </p>
  );
}

/**
 * The result of a round. It is shown during the intermission. In a game without intermissions the next round runs
 * already, so that a button leads to it at once.
 */
function RoundResult(props: RoundResultProps) {
  const { game, lobby, result } = props;
  const { t } = useI18n();
  const user = useUser();
  useVerdict(game, result, user.id);
  const isLate = game.state.resolved.length === 1 && !result.answers.some(({ userId }) => userId === user.id);
  return (
    <Page
      title={t.roundResult(result.number)}
      subtitle={<OwnLine state={game.state} lobby={lobby} />}
      width="wide"
      isGame
      aside={<LeaveButton game={game} lobby={lobby} />}
    >
      {isLate && <Notice kind="info">{t.cameLate}</Notice>}
      <div class="columns columns-game">
        <section class="question stack" aria-label={t.lastRoundResult}>
          <OwnResult game={game} lobby={lobby} result={result} />
          <NextControls {...props} />
        </section>
        <aside class="card third">
          <AnswerBars result={result} lobby={lobby} ownId={user.id} />
          <Standings
            scores={game.state.scores}
            before={game.state.scoresBefore}
            ownId={user.id}
            players={playersIn(game.state.scores, lobby)}
            isExpandable
          />
          <Seal />
        </aside>
      </div>
    </Page>
  );
}

/** Announces the verdict to screen readers and plays its sound. */
function useVerdict(game: LobbyGame, result: ResolvedRound, ownId: string): void {
  const { t } = useI18n();
  const own = result.answers.find(({ userId }) => userId === ownId);
  const { question, correctOptionId, correctText, accepted } = result;
  const judged = { correctOptionId, correctText, accepted, verdict: own?.verdict };
  const right = meantText(question ?? {}, judged, question && game.answerTo(question.questionId));
  const verdict = own ? verdictText(t, own, right) : right;
  useEffect(() => announce(verdict), [verdict]);
  useEffect(() => {
    if (own) playEffect(own.isCorrect ? 'right' : 'wrong');
  }, []);
}

/** The time until the next round, and the buttons that shorten it. */
function NextControls({ game, lobby, result, onPass, onManage }: RoundResultProps) {
  const { t } = useI18n();
  const user = useUser();
  const hostName = useHostName(lobby);
  const { round, intermission } = game.state;
  const next = result.isLast ? t.toPodium : t.nextRound;
  if (!intermission) {
    return (
      <div class="go-on row">
        {round?.countdown && <TimerRing countdown={round.countdown} />}
        <Button class="primary" label={next} onClick={onPass} />
      </div>
    );
  }
  return (
    <div class="go-on row">
      {lobby.settings.intermissionMs !== UNTIL_HOST_MS ? (
        <TimeBar countdown={intermission} text={result.isLast ? t.podiumIn : t.nextIn} />
      ) : (
        lobby.hostId !== user.id && (
          <p class="hint">
            <TextWithNames text={t.hostGoesOn} names={[hostName]} />
          </p>
        )
      )}
      <HostBar
        lobby={lobby}
        text={next}
        isMain
        onNext={() => game.host.next(result.number, 'intermission')}
        onManage={onManage}
      />
    </div>
  );
}

interface HostBarProps {
  lobby: Lobby;
  text: string;
  /** Whether it is the main button of the screen. */
  isMain?: boolean;
  onNext(): void;
  onManage(): void;
}

/**
 * The host's buttons during a game: the next step, and the panel with everything else. Renders nothing for other
 * players.
 */
function HostBar({ lobby, text, isMain = false, onNext, onManage }: HostBarProps) {
  const { t } = useI18n();
  const user = useUser();
  if (lobby.hostId !== user.id) return null;
  return (
    <div class="host-bar">
      <Button class={isMain ? 'primary' : 'secondary'} label={text} onClick={onNext} />
      <Button class="quiet host-more" icon="dots" label={t.hosting.manage} isIcon onClick={onManage} />
    </div>
  );
}

export function OwnResult({ game, lobby, result }: { game: LobbyGame; lobby: Lobby; result: ResolvedRound }) {
  const { t } = useI18n();
  const user = useUser();
  const { state } = game;
  const { question, answers } = result;
  const own = answers.find(({ userId }) => userId === user.id);
  const sent = question && game.answerTo(question.questionId);
  const given = own && answerOf(own, sent);
  const said = question ? givenText(question, given) : '';
  const { sourceLanguage, targetLanguage } = lobby.settings;
  const isTyped = result.correctText !== undefined;
  return (
    <div class={own ? `prompt ${own.isCorrect ? 'is-right' : 'is-wrong'}` : 'prompt'}>
      {own && (
        <p class="verdict-text">
          <Icon name={own.isCorrect ? 'check' : 'cross'} /> {headlineOf(t, own)}
          {!isTyped && !own.isCorrect && said && <small translate={false}>{t.youSaid(said)}</small>}
          {given === null && <small>{sent ? t.answerLost : t.noAnswer}</small>}
        </p>
      )}
      {question && (
        <h2 class="second">
          <span lang={sourceLanguage}>{question.prompt}</span>
          {!isTyped && (
            <>
              <span class="visually-hidden">: </span>
              <strong lang={targetLanguage}>{rightText(question, result)}</strong>
            </>
          )}
        </h2>
      )}
      {isTyped && (
        <TypedResult text={said || null} verdict={own?.verdict ?? 'wrong'} solution={result} lang={targetLanguage} />
      )}
      <Listen text={rightText(question ?? {}, result)} lang={targetLanguage} />
      {own && <Gains state={state} lobby={lobby} points={own.points} ownId={user.id} />}
      <p class="hint">{t.reasons[result.reason]}</p>
    </div>
  );
}

/** A streak is shown from this number of right answers. */
const STREAK_FROM = 2;

function Gains({ state, lobby, points, ownId }: { state: GameState; lobby: Lobby; points: number; ownId: string }) {
  const { t } = useI18n();
  const { scores, scoresBefore, resolved } = state;
  const own = rankScores(scores, scoresBefore).find(({ userId }) => userId === ownId);
  const streak = streakOf(resolved, ownId);
  return (
    <ul class="gains row centered third">
      {points > 0 && <li>+{t.pointsInWords(points)}</li>}
      {own && (
        <li>
          {t.placeAmong(t.place(own.place), playersIn(scores, lobby))} <PlaceChange placesGained={own.placesGained} />
        </li>
      )}
      {streak >= STREAK_FROM && <li>{t.inARow(streak)}</li>}
    </ul>
  );
}
