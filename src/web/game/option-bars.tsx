// A bar for each option with the number of its answers. It names no players.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ResolvedRound } from './game-state.ts';
import { OptionKey, optionClass } from './option-key.tsx';

interface OptionBarsProps {
  result: ResolvedRound;
  lobby: Lobby;
  ownId: string;
}

export function OptionBars({ result, lobby, ownId }: OptionBarsProps) {
  const { t } = useI18n();
  const { question, answers, counts, correctOptionId } = result;
  if (counts.options === undefined || !question?.options) return null;
  const own = answers.find(({ userId }) => userId === ownId)?.selectedOptionId;
  const { options } = counts;
  const countOf = (id: number) => options[id] ?? 0;
  const silent = counts.none;
  const all = options.reduce((sum, count) => sum + count, silent);
  return (
    <ul class="option-bars">
      {question.options.map(({ optionId, text }) => (
        <li key={optionId} class={`${optionClass(optionId)} ${optionId === correctOptionId ? 'is-right' : ''}`}>
          <span class="bar-text">
            <OptionKey optionId={optionId} />
            {optionId === correctOptionId && <Icon name="check" />}
            <span lang={lobby.settings.targetLanguage}>{text}</span>
            {optionId === correctOptionId && <span class="visually-hidden">({t.rightAnswer})</span>}
            {optionId === own && <small class="tag">{t.yourAnswer}</small>}
          </span>
          <span class="bar-count">
            {countOf(optionId)}
            <span class="visually-hidden"> {t.ofAnswers(all)}</span>
          </span>
          <progress aria-hidden="true" max={all} value={countOf(optionId)} />
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
