// How a round went for oneself: one's own answer first, then the right one, then what it brought.
import type { Lobby } from '../../lobby/schema.ts';
import type { GameState, ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { optionText } from '../option-text.ts';
import { useUser } from '../session.tsx';
import { placesOf, streakOf } from '../standings.ts';
import { Icon } from './icon.tsx';

interface OwnResultProps {
  state: GameState;
  lobby: Lobby;
  result: ResolvedRound;
}

export function OwnResult({ state, lobby, result }: OwnResultProps) {
  const { t } = useI18n();
  const user = useUser();
  const { question, correctOptionId, answers } = result;
  const own = answers.find(({ userId }) => userId === user.id);
  const chosen = own && question && optionText(question, own.selectedOptionId);
  const { sourceLanguage, targetLanguage } = lobby.settings;
  return (
    <div class={own ? `prompt ${own.isCorrect ? 'is-right' : 'is-wrong'}` : 'prompt'}>
      {own && (
        <p class="verdict-text">
          <Icon name={own.isCorrect ? 'check' : 'cross'} /> {own.isCorrect ? t.right : t.notRight}
          {!own.isCorrect && chosen && <small>{t.youSaid(chosen)}</small>}
          {own.selectedOptionId === null && <small>{t.noAnswer}</small>}
        </p>
      )}
      {question && (
        <h2 id="solved" class="second">
          <span lang={sourceLanguage}>{question.prompt}</span>
          <span class="visually-hidden">: </span>
          <strong lang={targetLanguage}>{optionText(question, correctOptionId)}</strong>
        </h2>
      )}
      {own && <Gains state={state} points={own.points} ownId={user.id} />}
      <p class="hint">{t.reasons[result.reason]}</p>
    </div>
  );
}

/** A streak is worth a word from here on. */
const STREAK_FROM = 2;

interface GainsProps {
  state: GameState;
  points: number;
  ownId: string;
}

function Gains({ state, points, ownId }: GainsProps) {
  const { t } = useI18n();
  const { scores, scoresBefore, resolved } = state;
  const own = placesOf(scores, scoresBefore).find(({ userId }) => userId === ownId);
  const streak = streakOf(resolved, ownId);
  return (
    <ul class="gains third">
      {points > 0 && <li>+{t.pointsInWords(points)}</li>}
      {own && (
        <li>
          {t.placeAmong(own.place, scores.length)} <Climb climbed={own.climbed} />
        </li>
      )}
      {streak >= STREAK_FROM && <li>{t.inARow(streak)}</li>}
    </ul>
  );
}

/** How far somebody has climbed, or fallen. */
export function Climb({ climbed }: { climbed: number }) {
  const { t } = useI18n();
  if (climbed === 0) return null;
  return (
    <span class={climbed > 0 ? 'climbed' : 'fallen'}>
      <span aria-hidden="true">
        {climbed > 0 ? '▲' : '▼'}
        {Math.abs(climbed)}
      </span>
      <span class="visually-hidden">{climbed > 0 ? t.climbed(climbed) : t.fallen(-climbed)}</span>
    </span>
  );
}
