// The scenes of a projector, one after the other: the waiting room, a round, its result, the podium, and the frame of
// them all.
import { useEffect } from 'preact/hooks';
import type { Lobby } from '../../lobby/schema.ts';
import type { Question } from '../../vocabulary/schema.ts';
import { client } from '../api.ts';
import { playEffect } from '../effects/effects.tsx';
import { Listen } from '../effects/listen.tsx';
import { useUser } from '../entry/session.tsx';
import { useShareUrl } from '../frame/page-config.tsx';
import { AnswerBars } from '../game/answer-bars.tsx';
import { alsoRight, rightText } from '../game/answers.ts';
import {
  type GameState,
  type OpenRound,
  playersIn,
  type ResolvedRound,
  type RoundProgress,
} from '../game/game-state.ts';
import { OptionKey, optionClass } from '../game/options.tsx';
import { outcome, PodiumSteps, podiumOf, useCelebration } from '../game/podium.tsx';
import { AlsoRight, Solution } from '../game/solution.tsx';
import { Standings } from '../game/standings.tsx';
import { GetReady, TimeBar, TimerRing, useOpening } from '../game/timer.tsx';
import { useI18n } from '../i18n/index.tsx';
import { UNTIL_HOST_MS } from '../lobby/lobby-choices.ts';
import { usePlayers } from '../lobby/player-list.tsx';
import { useArrivals } from '../lobby/waiting-room.tsx';
import { announce, type PageProps, useTitle } from '../ui/page.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { useLanguageName, useWordsName } from '../words/names.ts';

interface SceneProps extends Pick<PageProps, 'title' | 'heading' | 'aside' | 'children'> {
  name: string;
  /** Whether the text needs smaller letters. */
  isLong?: boolean;
}

export function Scene({ name, isLong = false, title, heading, aside, children }: SceneProps) {
  const shown = useTitle(title);
  return (
    <section class={`scene stack scene-${name} ${isLong ? 'is-long' : ''}`}>
      <div class="scene-head row">
        <h1 ref={shown} tabIndex={-1}>
          {heading ?? title}
        </h1>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** The size of the names by their number. */
const SIZES: [upTo: number, size: string][] = [
  [12, 'few'],
  [30, 'some'],
  [60, 'many'],
];

/** A waiting lobby on a projector: how to join, and who has joined. */
export function StageWaitingRoom({ lobby }: { lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const wordsName = useWordsName();
  const known = usePlayers(lobby);
  useArrivals(known, lobby.capacity, user.id);
  const url = useShareUrl(`/lobby/${lobby.code}`);
  // The newest player comes first.
  const players = known.filter(({ plays }) => plays).reverse();
  const count = lobby.playerCount - lobby.players.filter(({ plays }) => !plays).length;
  const size = SIZES.find(([upTo]) => count <= upTo)?.[1] ?? 'crowd';
  return (
    <Scene
      name={`waiting-room names-${size}`}
      title={t.stage.join}
      aside={
        <p class="hint">
          <bdi>{wordsName(lobby.settings)}</bdi> · {t.rounds}: {lobby.settings.rounds}
        </p>
      }
    >
      <div class="way-in stack">
        <QrCode text={url} label={t.qrCode} />
        <div>
          <p class="stage-address" translate={false}>
            {new URL(url).host}
          </p>
          <p class="hint">{t.lobbyCode}</p>
          <p class="stage-code" translate={false}>
            {lobby.code}
          </p>
        </div>
      </div>
      <div class="who">
        <h2 translate={false}>{count > 0 ? t.stage.players(count) : t.stage.nobodyYet}</h2>
        <ul class="stage-names">
          {players.map(({ userId, name, connected }) => (
            <li key={userId} class={connected ? undefined : 'is-away'}>
              <bdi>{name}</bdi>
              {!connected && <span class="visually-hidden"> ({t.away})</span>}
            </li>
          ))}
        </ul>
      </div>
    </Scene>
  );
}

interface StageRoundProps {
  round: OpenRound;
  progress: RoundProgress | null;
  lobby: Lobby;
}

/** An open round on a projector: the question with its options, the time, and how many have answered. */
export function StageRound({ round, progress, lobby }: StageRoundProps) {
  const { t } = useI18n();
  const languageName = useLanguageName();
  const { question, countdown } = round;
  const opening = useOpening(round, lobby);
  const { sourceLanguage, targetLanguage } = lobby.settings;
  return (
    <Scene
      name="round"
      isLong={isLong(question)}
      title={t.roundOf(round.number, round.total)}
      aside={
        <>
          {progress && (
            <p class="answered" translate={false}>
              {t.stage.answered(progress.answered, progress.awaited)}
            </p>
          )}
          {countdown && <TimerRing countdown={countdown} />}
        </>
      }
    >
      {opening === 'counting' ? (
        <GetReady round={round} lobby={lobby} />
      ) : (
        <>
          <div class="stage-prompt">
            {targetLanguage && <p class="hint">{t.translateInto(languageName(targetLanguage))}</p>}
            <h2 lang={sourceLanguage}>{question.prompt}</h2>
            {question.gloss && (
              <p class="hint" lang={sourceLanguage}>
                {question.gloss}
              </p>
            )}
            <Listen text={question.prompt} lang={sourceLanguage} />
          </div>
          {question.options ? (
            <ol class="stage-options" aria-label={t.answers}>
              {question.options.map(({ optionId, text }) => (
                <li key={optionId} class={optionClass(optionId)}>
                  <OptionKey optionId={optionId} />
                  {opening === 'open' && (
                    <span class="option-text" lang={targetLanguage}>
                      {text}
                    </span>
                  )}
                </li>
              ))}
            </ol>
          ) : (
            <p class="stage-typing">{t.typed.onDevice}</p>
          )}
        </>
      )}
    </Scene>
  );
}

/** The projector shows no player's own answer or place. */
const NOBODY = '';

/** The result of a round on a projector: the right answer, how often each option was chosen, and the leaders. */
export function StageResult({ state, result, lobby }: { state: GameState; result: ResolvedRound; lobby: Lobby }) {
  const { t } = useI18n();
  const { question, reason, isLast } = result;
  const right = rightText(question ?? {}, result);
  useEffect(() => announce(right), [right]);
  useEffect(() => playEffect('right'), []);
  return (
    <Scene
      name="result"
      isLong={question !== null && isLong(question)}
      title={t.roundResult(result.number)}
      aside={<p class="hint">{t.reasons[reason]}</p>}
    >
      {question && (
        <div class="stage-prompt">
          <h2>
            <Solution question={question} solution={result} direction={lobby.settings} />
          </h2>
          <AlsoRight texts={alsoRight(result, right)} lang={lobby.settings.targetLanguage} />
          <Listen text={right} lang={lobby.settings.targetLanguage} />
        </div>
      )}
      <div class="stage-columns stack">
        <div>
          <h2>{t.answers}</h2>
          <AnswerBars result={result} lobby={lobby} ownId={NOBODY} />
        </div>
        <div>
          <Standings scores={state.scores} before={state.scoresBefore} ownId={NOBODY} />
        </div>
      </div>
      {state.intermission && lobby.settings.intermissionMs !== UNTIL_HOST_MS && (
        <TimeBar countdown={state.intermission} text={isLast ? t.podiumIn : t.nextIn} />
      )}
    </Scene>
  );
}

/** The end of a game on a projector. */
export function StagePodium({ state, lobby }: { state: GameState; lobby: Lobby }) {
  const { t } = useI18n();
  const user = useUser();
  const { scores, winnerIds, gameId } = state;
  const readAll = async () => (gameId ? (await client.getGame(gameId)).scores : scores);
  const steps = podiumOf(scores);
  useCelebration(
    scores.some(({ score }) => score > 0),
    steps.map(({ place }) => place),
  );
  const { title, heading } = outcome(t, scores, winnerIds ?? [], '');
  return (
    <Scene name="podium" title={title} heading={heading}>
      <div class="stage-columns stack">
        <PodiumSteps steps={steps} winnerIds={winnerIds ?? []} />
        <div>
          <Standings
            scores={scores}
            ownId={NOBODY}
            players={playersIn(scores, lobby)}
            readAll={lobby.hostId === user.id ? readAll : undefined}
            isExpandable
          />
        </div>
      </div>
    </Scene>
  );
}

/** The longest texts that fit a projector in large letters, characters. */
const FITS = { prompt: 28, gloss: 80, option: 40 };

/** @returns whether the texts need smaller letters; a user's own list may have whole sentences */
function isLong({ prompt, gloss = '', options = [] }: Question): boolean {
  return (
    prompt.length > FITS.prompt || gloss.length > FITS.gloss || options.some(({ text }) => text.length > FITS.option)
  );
}
