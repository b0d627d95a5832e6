// Deals an assignment's questions for one attempt, and shows how its answers were judged. The order of questions and
// options, and the nonces, are derived from the attempt's secret. So an attempt is as small as its answers, and nothing
// judged in one tells of another. [contract 3, 12, 20, 21]
import { commitmentOf, derive, nonceOf } from '../fairness/seal.ts';
import type { AnswerResult } from '../singleplayer/schema.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { JudgedAnswer, StoredAnswer, StoredQuestion } from './rules.ts';

export function dealQuestions(questions: readonly StoredQuestion[], secret: string): Question[] {
  const dealt = inOrder(questions, ({ questionId }) => derive(secret, `place of ${questionId}`));
  return dealt.map((question) => dealQuestion(question, secret));
}

/** @param secret 32 random bytes as base64url, from a cryptographic source */
export function dealQuestion(stored: StoredQuestion, secret: string): Question {
  const { texts, ...asked } = stored;
  const { questionId } = asked;
  const nonce = nonceOf(secret, questionId);
  if (asked.answerMode) return { ...asked, commitment: commitmentOf(questionId, texts[0] ?? '', nonce) };
  const places = placesOfOptions(stored, secret);
  const options = places.map((place, optionId) => ({ optionId, text: texts[place] ?? '' }));
  return { ...asked, options, commitment: commitmentOf(questionId, places.indexOf(0), nonce) };
}

/** @returns by the id of an option of the attempt its place among the texts of the question */
export function placesOfOptions({ questionId, texts }: StoredQuestion, secret: string): number[] {
  return inOrder([...texts.keys()], (place) => derive(secret, `option ${place} of ${questionId}`));
}

/** Orders items by texts as good as random, which gives each order with the same probability. */
function inOrder<T>(items: readonly T[], rankOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ item }) => item);
}

export function toJudgement(question: StoredQuestion, secret: string, answer: JudgedAnswer) {
  const { isCorrect } = answer;
  const nonce = nonceOf(secret, question.questionId);
  if ('text' in answer) {
    const { text: submittedText, verdict } = answer;
    return { submittedText, verdict, correctText: question.texts[0], accepted: [...question.texts], nonce, isCorrect };
  }
  const places = placesOfOptions(question, secret);
  return { selectedOptionId: places.indexOf(answer.option), correctOptionId: places.indexOf(0), nonce, isCorrect };
}

/** @returns the judgements of an attempt in the order of its answers, each with the score of its moment */
export function toResults(
  { sessionId, questions, secret }: { sessionId: string; questions: readonly StoredQuestion[]; secret: string },
  answers: readonly StoredAnswer[],
): AnswerResult[] {
  let correct = 0;
  return answers.flatMap((answer, at) => {
    if (answer.isCorrect) correct++;
    const question = questions[answer.question];
    if (!question) return [];
    const score = { correct, answered: at + 1, total: questions.length };
    return { sessionId, questionId: question.questionId, ...toJudgement(question, secret, answer), score };
  });
}
