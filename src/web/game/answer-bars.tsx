// How many players have given which answer in a round: by option, or by verdict where answers are typed. It names no
// players, and shows nobody what others have typed.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { hasAnswered } from './answers.ts';
import type { ResolvedRound } from './game-state.ts';
import { OptionKey, optionClass } from './options.tsx';

interface AnswerBarsProps {
  result: ResolvedRound;
  lobby: Lobby;
  ownId: string;
}

export function AnswerBars(props: AnswerBarsProps) {
  if (props.result.correctText === undefined) return <OptionBars {...props} />;
  return <VerdictBars {...props} />;
}

function VerdictBars({ result, lobby, ownId }: AnswerBarsProps) {
  const { t } = useI18n();
  const { answers, counts } = result;
  const own = answers.find(({ userId }) => userId === ownId);
  // A compact lobby does not tell how many have given a wrong answer. [contract 19]
  const all = lobby.compact ? undefined : answers.length;
  const wrong = (all ?? 0) - counts.correct - counts.none;
  const max = Math.max(1, all ?? lobby.playerCount);
  return (
    <ul class="option-bars">
      <li class="is-right">
        <span class="bar-text">
          <Icon name="check" />
          {t.typed.wereRight}
          {own?.isCorrect && <small class="tag">{t.yourAnswer}</small>}
        </span>
        <Count count={counts.correct} all={all} max={max} />
      </li>
      {wrong > 0 && (
        <li>
          <span class="bar-text">
            {t.typed.wereWrong}
            {own && hasAnswered(own) && !own.isCorrect && <small class="tag">{t.yourAnswer}</small>}
          </span>
          <Count count={wrong} all={all} max={max} />
        </li>
      )}
      {counts.none > 0 && (
        <li>
          <span class="bar-text hint">{t.noAnswer}</span>
          <span class="bar-count hint">{counts.none}</span>
        </li>
      )}
    </ul>
  );
}

interface CountProps {
  count: number;
  /** The number of all answers, if it is known. */
  all: number | undefined;
  max: number;
}

function Count({ count, all, max }: CountProps) {
  const { t } = useI18n();
  return (
    <>
      <span class="bar-count">
        {count}
        {all !== undefined && <span class="visually-hidden"> {t.ofAnswers(all)}</span>}
      </span>
      <progress aria-hidden="true" max={max} value={count} />
    </>
  );
}

interface OptionBarsProps {
  result: ResolvedRound;
  lobby: Lobby;
  ownId: string;
}

/** A bar for each option with the number of its answers. It names no players. */
function OptionBars({ result, lobby, ownId }: OptionBarsProps) {
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
