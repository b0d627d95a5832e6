// A bar for each option with the number of its answers. It names no players.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ResolvedRound } from './game-state.ts';

interface OptionBarsProps {
  result: ResolvedRound;
  lobby: Lobby;
  ownId: string;
}

export function OptionBars({ result, lobby, ownId }: OptionBarsProps) {
  const { t } = useI18n();
  const { question, answers, correctOptionId } = result;
  if (!question) return null;
  const own = answers.find(({ userId }) => userId === ownId)?.selectedOptionId;
  const countOf = (id: number | null) =>
    answers.filter(({ selectedOptionId }) => selectedOptionId === id).length;
  const silent = countOf(null);
  return (
    <ul class="option-bars">
      {question.options.map(({ optionId, text }) => (
        <li key={optionId} class={optionId === correctOptionId ? 'is-right' : undefined}>
          <span class="bar-text">
            {optionId === correctOptionId && <Icon name="check" />}
            <span lang={lobby.settings.targetLanguage}>{text}</span>
            {optionId === correctOptionId && <span class="visually-hidden">({t.rightAnswer})</span>}
            {optionId === own && <small class="tag">{t.yourAnswer}</small>}
          </span>
          <span class="bar-count">
            {countOf(optionId)}
            <span class="visually-hidden"> {t.ofAnswers(answers.length)}</span>
          </span>
          <progress aria-hidden="true" max={answers.length} value={countOf(optionId)} />
        </li>
      ))}
      {silent > 0 && (
        <li>
          <span class="bar-text hint">{t.noAnswer}</span>
          <span class="bar-count hint">{silent}</span>
        </li>
      )}
    </ul>
  );
}
