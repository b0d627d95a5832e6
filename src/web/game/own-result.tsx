// The user's result of a round. CSS reveals the own answer first, then the right one, then points and place.
import type { Lobby } from '../../lobby/schema.ts';
import { Listen } from '../effects/listen.tsx';
import { useUser } from '../entry/session.tsx';
import { useI18n } from '../i18n/index.tsx';
import type { LobbyGame } from '../lobby/use-lobby.ts';
import { Icon } from '../ui/icon.tsx';
import { answerOf, givenText, headlineOf, rightText } from './answers.ts';
import { type GameState, playersIn, type ResolvedRound } from './game-state.ts';
import { rankScores, streakOf } from './ranking.ts';
import { TypedResult } from './solution.tsx';

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

/** @param props.placesGained the number of places gained; negative for places lost */
export function PlaceChange({ placesGained }: { placesGained: number }) {
  const { t } = useI18n();
  if (placesGained === 0) return null;
  return (
    <span class={placesGained > 0 ? 'climbed' : 'fallen'}>
      <span aria-hidden="true">
        {placesGained > 0 ? '▲' : '▼'}
        {Math.abs(placesGained)}
      </span>
      <span class="visually-hidden">{placesGained > 0 ? t.climbed(placesGained) : t.fallen(-placesGained)}</span>
    </span>
  );
}
