// Deals an assignment's questions for one attempt, and shows how its answers were judged. The order of questions and
// options, and the nonces, are derived from the attempt's secret. So an attempt is as small as its answers, and nothing
// judged in one tells of another. [contract 3, 12, 20, 21]
import { commitmentOf, derive, nonceOf } from '../fairness/seal.ts';
import type { AnswerResult } from '../singleplayer/schema.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { AttemptScore, DealtAttempt } from './attempt-store.ts';
import type { Judged, StoredAnswer, StoredQuestion } from './rules.ts';

/** A question as one attempt asks it, with what its judgement reveals. */
interface DealtQuestion {
  question: Question;
  nonce: string;
  /** By the id of an option its place among all of the question; empty where the answer is typed. */
  places: readonly number[];
}

export function dealQuestions(questions: readonly StoredQuestion[], secret: string): DealtQuestion[] {
  return inOrder(questions, ({ questionId }) => derive(secret, `place of ${questionId}`)).map((question) =>
    dealQuestion(question, secret),
  );
}

/** @param secret 32 random bytes as base64url, from a cryptographic source */
export function dealQuestion(stored: StoredQuestion, secret: string): DealtQuestion {
  const { texts, ...asked } = stored;
  const { questionId } = asked;
  const nonce = nonceOf(secret, questionId);
  if (asked.answerMode) {
    const commitment = commitmentOf(questionId, texts[0] ?? '', nonce);
    return { question: { ...asked, commitment }, nonce, places: [] };
  }
  const places = inOrder([...texts.keys()], (place) => derive(secret, `option ${place} of ${questionId}`));
  const options = places.map((place, optionId) => ({ optionId, text: texts[place] ?? '' }));
  const commitment = commitmentOf(questionId, places.indexOf(0), nonce);
  return { question: { ...asked, options, commitment }, nonce, places };
}

/** Orders items by texts as good as random, which gives each order with the same probability. */
function inOrder<T>(items: readonly T[], rankOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ item }) => item);
}

export function toJudgement(
  { texts }: StoredQuestion,
  { nonce, places }: DealtQuestion,
  answer: Judged<StoredAnswer>,
): Omit<AnswerResult, 'sessionId' | 'questionId' | 'score'> {
  const { isCorrect } = answer;
  if ('text' in answer) {
    const { text: submittedText, verdict } = answer;
    return { submittedText, verdict, correctText: texts[0], accepted: [...texts], nonce, isCorrect };
  }
  const selectedOptionId = places.indexOf(answer.option);
  return { selectedOptionId, correctOptionId: places.indexOf(0), nonce, isCorrect };
}

/** @returns the judgements of an attempt in the order of its answers, each with the score of its moment */
export function toResults(
  { sessionId, questions, secret }: Pick<DealtAttempt, 'questions' | 'secret'> & { sessionId: string },
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
