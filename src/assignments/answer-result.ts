// Turns judged answers of an attempt into what clients get. [contract 3, 20, 21]
import type { AnswerResult } from '../singleplayer/schema.ts';
import type { AttemptScore } from './attempt-store.ts';
import { type DealtQuestion, dealQuestion } from './deal-questions.ts';
import { acceptedOf, type Judged, type StoredAnswer, type StoredQuestion } from './rules.ts';

/** @returns the fields of an AnswerResult that say how the answer was judged */
export function toJudgement(
  question: StoredQuestion,
  { nonce, places }: DealtQuestion,
  answer: Judged<StoredAnswer>,
): Omit<AnswerResult, 'sessionId' | 'questionId' | 'score'> {
  const { isCorrect } = answer;
  if ('text' in answer) {
    const { text: submittedText, verdict } = answer;
    const accepted = acceptedOf(question);
    return { submittedText, verdict, correctText: question.correctText, accepted, nonce, isCorrect };
  }
  const selectedOptionId = places.indexOf(answer.option);
  return { selectedOptionId, correctOptionId: places.indexOf(0), nonce, isCorrect };
}

/** An attempt with what its answers are judged by. */
interface JudgedAttempt {
  sessionId: string;
  questions: readonly StoredQuestion[];
  secret: string;
}

/** @returns the judgements of an attempt in the order of its answers, each with the score of its moment */
export function toResults(
  { sessionId, questions, secret }: JudgedAttempt,
  answers: readonly StoredAnswer[],
): AnswerResult[] {
  let correct = 0;
  return answers.flatMap((answer, at) => {
    if (answer.isCorrect) correct++;
    const question = questions[answer.question];
    if (!question) return [];
    const score: AttemptScore = { correct, answered: at + 1, total: questions.length };
    const judgement = toJudgement(question, dealQuestion(question, secret), answer);
    return { sessionId, questionId: question.questionId, ...judgement, score };
  });
}
