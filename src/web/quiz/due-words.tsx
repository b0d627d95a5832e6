// Requests quizzes from the service, of which a smart one asks due words first, and practises learned words in them: a button
// for some words, and the words that are due today. [contract 13]
import type { GameRequest } from '../../client/types.ts';
import type { Progress } from '../../learning/schema.ts';
import { client } from '../api.ts';
import { useUser } from '../entry/session.tsx';
import { navigate } from '../frame/router.ts';
import { useI18n } from '../i18n/index.tsx';
import { saveQuiz } from '../lobby/saved-games.ts';
import { hasLearned, mostDue, practiceCount, type WordsProgress } from '../progress/due.ts';
import { ActionButton } from '../ui/button.tsx';
import { Check } from '../ui/choice.tsx';
import { deckOf, wordsOfList } from '../words/deck-choice.ts';
import { useLearnedName } from '../words/names.ts';
import { savedAnswerMode, useAnswerMode } from '../words/quiz-fields.tsx';
import { type Quiz, type QuizSettings, startQuiz } from './quiz-state.ts';

interface PractiseButtonProps {
  words: WordsProgress;
  count: number;
  class: 'primary' | 'secondary';
  text: string;
}

export function PractiseButton({ words, count, class: kind, text }: PractiseButtonProps) {
  const user = useUser();
  const practise = async () => {
    saveQuiz(user.id, await requestSmartQuiz(words, count, savedAnswerMode()));
    navigate('/quiz');
  };
  return <ActionButton class={kind} label={text} action={practise} />;
}

/** The number of due words, and a button that practises them. Users who have learned nothing yet do not see it. */
export function DueToday({ progress }: { progress: Progress }) {
  const { t } = useI18n();
  const { dueNow, streakDays, reviewedToday } = progress;
  const words = mostDue(progress);
  if (!hasLearned(progress)) return null;
  // The forecast of today has what is due by its end.
  const later = (progress.forecast[0]?.due ?? 0) - dueNow;
  const facts = [
    later > 0 && t.learning.laterToday(later),
    streakDays > 0 && t.learning.streak(streakDays),
    reviewedToday > 0 && t.learning.reviewedToday(reviewedToday),
  ].filter((fact) => fact !== false);
  return (
    <section class="card due" aria-labelledby="due">
      <div>
        <h2 id="due">{dueNow > 0 ? t.learning.dueNow(dueNow) : t.learning.nothingDue}</h2>
        {facts.length > 0 && <p class="hint">{facts.join(' · ')}</p>}
      </div>
      {words && <PractiseDue words={words} />}
    </section>
  );
}

function PractiseDue({ words }: { words: WordsProgress }) {
  const { t } = useI18n();
  const wordsName = useLearnedName();
  const [answerMode, setAnswerMode] = useAnswerMode();
  const count = practiceCount(words);
  return (
    <div class="due-way">
      <PractiseButton words={words} count={count} class="primary" text={t.learning.practiseDue(count)} />
      <small class="hint">
        <bdi>{wordsName(words)}</bdi>
      </small>
      <Check isOn={answerMode === 'typed'} onChange={(isTyped) => setAnswerMode(isTyped ? 'typed' : 'choice')}>
        {t.typed.practise}
      </Check>
    </div>
  );
}

/** @throws ApiError if the words have too few questions, or the list is gone */
export async function requestQuiz(settings: QuizSettings): Promise<Quiz> {
  return startQuiz(settings, await client.startGame(requestOf(settings)));
}

/** @throws ApiError if there are fewer questions, or the list is gone */
export async function requestSmartQuiz(
  words: WordsProgress,
  questionCount: number,
  answerMode: QuizSettings['answerMode'],
): Promise<Quiz> {
  const settings = { questionCount, answerMode, order: 'smart' } as const;
  return requestQuiz({ ...settings, ...(await wordsOf(words)) });
}

async function wordsOf(words: WordsProgress): Promise<QuizSettings> {
  if (!('listId' in words)) return deckOf(words);
  const { selection, direction } = wordsOfList(await client.getList(words.listId), words.reverse ?? false);
  return { ...direction, ...selection };
}

/** Omits the languages of a list, which is named by its id only. [contract 14] */
function requestOf(settings: QuizSettings): GameRequest {
  if (settings.listId === undefined) return settings as GameRequest;
  const { sourceLanguage: _source, targetLanguage: _target, ...request } = settings;
  return request;
}
