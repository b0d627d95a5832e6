// How many players have given which answer in a round: by option, or by verdict where answers are typed. It names no
// players, and shows nobody what others have typed.
import type { Lobby } from '../../lobby/schema.ts';
import type { VerdictCounts } from '../../match/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import type { ResolvedRound } from './game-state.ts';
import { OptionKey, optionClass } from './options.tsx';

interface AnswerBarsProps {
  result: ResolvedRound;
  lobby: Lobby;
  ownId: string;
}

export function AnswerBars(props: AnswerBarsProps) {
  const { verdicts } = props.result;
  return verdicts ? <VerdictBars {...props} verdicts={verdicts} /> : <OptionBars {...props} />;
}

const VERDICTS = ['right', 'close', 'wrong'] as const;

function VerdictBars({ result, verdicts, ownId }: AnswerBarsProps & { verdicts: VerdictCounts }) {
  const { t } = useI18n();
  const { answers, counts } = result;
  const own = answers.find(({ userId }) => userId === ownId)?.verdict;
  const all = counts.none + verdicts.right + verdicts.close + verdicts.wrong;
  return (
    <ul class="option-bars is-typed">
      {VERDICTS.map((verdict) => (
        <li key={verdict} class={verdict === 'wrong' ? undefined : 'is-right'}>
          <span class="bar-text">
            {verdict === 'right' && <Icon name="check" />}
            {t.typed.were[verdict]}
            {own === verdict && <small class="tag">{t.yourAnswer}</small>}
          </span>
          <Count count={verdicts[verdict]} all={all} />
        </li>
      ))}
      <Silent count={counts.none} />
    </ul>
  );
}

function Count({ count, all }: { count: number; all: number }) {
  const { t } = useI18n();
  return (
    <>
      <span class="bar-count">
        {count}
        <span class="visually-hidden"> {t.ofAnswers(all)}</span>
      </span>
      <progress aria-hidden="true" max={Math.max(1, all)} value={count} />
    </>
  );
}

/** How many have not answered. */
function Silent({ count }: { count: number }) {
  const { t } = useI18n();
  if (count === 0) return null;
  return (
    <li>
      <span class="bar-text hint">{t.noAnswer}</span>
      <span class="bar-count hint">{count}</span>
    </li>
  );
}

/** A bar for each option with the number of its answers. It names no players. */
function OptionBars({ result, lobby, ownId }: AnswerBarsProps) {
  const { t } = useI18n();
  const { question, answers, counts, correctOptionId } = result;
  if (counts.options === undefined || !question?.options) return null;
  const own = answers.find(({ userId }) => userId === ownId)?.selectedOptionId;
  const { options } = counts;
  const all = options.reduce((sum, count) => sum + count, counts.none);
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
          <Count count={options[optionId] ?? 0} all={all} />
        </li>
      ))}
      <Silent count={counts.none} />
    </ul>
  );
}
