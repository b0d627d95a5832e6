// How many players have given which answer in a round: by option, or by verdict where answers are typed. It names no
// players, and shows nobody what others have typed.
import type { Lobby } from '../../lobby/schema.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from '../ui/icon.tsx';
import { hasAnswered } from './answers.ts';
import type { ResolvedRound } from './game-state.ts';
import { OptionBars } from './option-bars.tsx';

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
