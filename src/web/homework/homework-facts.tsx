import type { Assignment } from '../../client/types.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import { resumeHomework } from '../quiz/quiz-state.ts';
import { ActionButton, Link } from '../ui/button.tsx';
import { useDeckName, useDirectionName } from '../words/names.ts';

export function HomeworkFacts({ assignment }: { assignment: Assignment }) {
  const { t } = useI18n();
  const directionName = useDirectionName();
  const deckName = useDeckName();
  const { pos, difficulty, topic, listName, questionCount, answerMode, attempts } = assignment;
  const { sourceLanguage, targetLanguage } = assignment;
  const words =
    pos && difficulty
      ? deckName({ sourceLanguage, targetLanguage, pos, difficulty, topic })
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

/** Homework in a list: for its owner how many are done, for others how far they are. */
export function HomeworkEntry({ assignment, isOwn = false }: { assignment: Assignment; isOwn?: boolean }) {
  const { t } = useI18n();
  return (
    <li>
      <Link to={`/homework/${assignment.code}`} class="entry-link">
        <bdi>{assignment.title}</bdi>
      </Link>
      <HomeworkTimes assignment={assignment} />
      {isOwn ? (
        <p class="hint">{t.homework.finished(assignment.finishedCount ?? 0)}</p>
      ) : (
        <BegunState assignment={assignment} />
      )}
    </li>
  );
}

/** How far the user is with homework. */
function BegunState({ assignment: { best, openAttempt, attemptsLeft } }: { assignment: Assignment }) {
  const { t } = useI18n();
  const facts = [
    best && t.homework.best(best.correct, best.total),
    openAttempt ? t.homework.unfinished : attemptsLeft > 0 && t.homework.attemptsLeft(attemptsLeft),
  ];
  return <p class="hint">{facts.filter(Boolean).join(' · ')}</p>;
}

/** Begins an attempt at homework, or goes on with the open one, on any device. */
export function TakeHomework({ assignment, kind }: { assignment: Assignment; kind: 'primary' | 'secondary' }) {
  const { t, dateTime } = useI18n();
  const user = useUser();
  const { code, opensAt, closesAt, attemptsLeft, best, openAttempt } = assignment;
  const now = new Date().toISOString();
  const take = async () => {
    saveQuiz(user.id, resumeHomework(assignment, await client.startAssignment(code)));
    navigate('/quiz');
  };
  const isOpen = opensAt <= now && now < closesAt;
  return (
    <div class="stack take">
      {best && <p class="lead">{t.homework.best(best.correct, best.total)}</p>}
      {now < opensAt && <p>{t.homework.opensAt(dateTime(opensAt))}</p>}
      {closesAt <= now && <p>{t.errors.ASSIGNMENT_CLOSED}</p>}
      {isOpen && !openAttempt && (
        <p class="hint">{attemptsLeft > 0 ? t.homework.attemptsLeft(attemptsLeft) : t.errors.NO_ATTEMPTS_LEFT}</p>
      )}
      {isOpen && (openAttempt || attemptsLeft > 0) && (
        <p class="hint">{user.isAnonymous ? t.homework.pauseHere : t.homework.pauseAnywhere}</p>
      )}
      {isOpen && (openAttempt || attemptsLeft > 0) && (
        <ActionButton
          class={kind}
          label={openAttempt ? t.homework.goOn : best ? t.homework.again : t.homework.begin}
          action={take}
        />
      )}
    </div>
  );
}
