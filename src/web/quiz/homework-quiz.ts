// Homework as a quiz of the page. Its answers are stored by the service, so that it can be resumed anywhere. Pure.
// [contract 21]
import type { Assignment, AttemptSession } from '../../client/types.ts';
import type { Quiz } from './quiz-state.ts';

/** @returns the attempt after its judged answers, which come first, in their order */
export function resumeHomework(
  { code, sourceLanguage, targetLanguage }: Pick<Assignment, 'code' | keyof Languages>,
  { answered, questions, sessionId, expiresAt }: AttemptSession,
): Quiz {
  const judged = answered.flatMap((result) => {
    const question = questions.find(({ questionId }) => questionId === result.questionId);
    return question ? [{ question, result }] : [];
  });
  const done = judged.map(({ question }) => question);
  const open = questions.filter((question) => !done.includes(question));
  return {
    settings: { sourceLanguage, targetLanguage },
    session: { sessionId, expiresAt, questions: [...done, ...open] },
    verdicts: judged.map(({ result }) => result),
    at: judged.length,
    correct: judged.filter(({ result }) => result.isCorrect).length,
    homework: code,
  };
}

interface Languages {
  sourceLanguage: string;
  targetLanguage: string;
}
