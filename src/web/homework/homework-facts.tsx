// Describes an assignment in one line: its words, its questions and its attempts.
import type { Assignment } from '../../client/types.ts';
import { useI18n } from '../i18n/index.tsx';
import { useDirectionName } from '../words/language-name.ts';
import { useDeckName } from '../words/use-words-name.ts';

export function HomeworkFacts({ assignment }: { assignment: Assignment }) {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const deckName = useDeckName();
  const { pos, difficulty, listName, questionCount, answerMode, attempts } = assignment;
  const { sourceLanguage, targetLanguage } = assignment;
  const words =
    pos && difficulty
      ? deckName({ sourceLanguage, targetLanguage, pos, difficulty })
      : `${listName} (${directionName(sourceLanguage, targetLanguage)})`;
  const facts = [
    `${t.questions}: ${questionCount}`,
    ...(answerMode === 'typed' ? [`${t.typed.label}: ${t.typed.modes.typed}`] : []),
    t.homework.attempts(attempts),
  ];
  return (
    <p class="hint">
      <bdi>{words}</bdi> · {facts.join(' · ')}
    </p>
  );
}

/** From when until when it can be done. */
export function HomeworkTimes({ assignment: { opensAt, closesAt } }: { assignment: Assignment }) {
  const { t, dateTime } = useI18n();
  const now = new Date().toISOString();
  return (
    <p class="hint">
      {opensAt > now && <>{t.homework.opensAt(dateTime(opensAt))} · </>}
      {closesAt > now ? t.homework.closesAt(dateTime(closesAt)) : t.homework.closedAt(dateTime(closesAt))}
    </p>
  );
}
