// What everybody answered in a round.
import type { Lobby } from '../../lobby/schema.ts';
import type { Score } from '../../match/schema.ts';
import type { ResolvedRound } from '../game-state.ts';
import { useI18n } from '../i18n/index.tsx';
import { Icon } from './icon.tsx';

interface RoundAnswersProps {
  result: ResolvedRound;
  /** For the names. */
  scores: Score[];
  lobby: Lobby;
}

export function RoundAnswers({ result, scores, lobby }: RoundAnswersProps) {
  const { t } = useI18n();
  const { question, answers } = result;
  const { targetLanguage } = lobby.settings;
  const textOf = (id: number) => question?.options.find(({ optionId }) => optionId === id)?.text;
  return (
    <ul class="round-answers">
      {answers.map(({ userId, selectedOptionId, isCorrect, points }) => (
        <li key={userId} class={isCorrect ? 'is-right' : 'is-wrong'}>
          <Icon name={isCorrect ? 'check' : 'cross'} />
          <span class="visually-hidden">{isCorrect ? t.isRight : t.isWrong}: </span>
          <bdi class="name">{scores.find((score) => score.userId === userId)?.name}</bdi>
          <span class="said" lang={selectedOptionId === null ? undefined : targetLanguage}>
            {selectedOptionId === null ? t.noAnswer : textOf(selectedOptionId)}
          </span>
          <span class="points">{t.points(points)}</span>
        </li>
      ))}
    </ul>
  );
}
