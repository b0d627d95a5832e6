// An assignment: everybody is asked the same, one attempt begins however many starts come at once, and every judged
// answer is in the attempt that is given again, and in the results, once. [contract 21]
import { isDeepStrictEqual } from 'node:util';
import type { AttemptHistory, HomeworkHistory, Violation } from '../history.ts';
import { checkQuiz } from './quiz.ts';

export function checkHomework(homework: HomeworkHistory): Violation[] {
  const { code, attempts, questionCount } = homework;
  const texts = [
    ...wrongQuestions(attempts),
    ...attempts.flatMap((attempt) => [...wrongAgain(attempt), ...wrongResult(attempt, homework)]),
    ...wrongBests(homework),
    ...wrongShares(homework),
  ];
  return [
    ...texts.map((text) => ({ kind: 'homework', text: `assignment ${code}: ${text}` })),
    ...attempts.flatMap((attempt) => checkQuiz({ ...attempt, questionCount, words: null })),
  ];
}

function wrongQuestions(attempts: readonly AttemptHistory[]): string[] {
  const asked = attempts.map(({ questions }) =>
    questions
      .map(({ questionId }) => questionId)
      .toSorted()
      .join(),
  );
  return new Set(asked).size > 1 ? ['people are asked different questions'] : [];
}

/** The attempt that another start gives is the same, with the judgements until then. */
function* wrongAgain({ userId, sessionId, otherId, answers, again }: AttemptHistory) {
  if (otherId !== sessionId) yield `two starts at once of ${userId} began two attempts`;
  if (!again) return;
  const { session, done } = again;
  if (session.sessionId !== sessionId) yield `${userId} got another attempt again`;
  if (session.answered.length !== done) yield `after ${done} answers ${userId} got ${session.answered.length} again`;
  const given = new Map(session.answered.map((known) => [known.questionId, known]));
  for (const { questionId, result } of answers.slice(0, done))
    if (result && !isDeepStrictEqual(given.get(questionId), result))
      yield `the judgement of ${questionId} is told otherwise when ${userId} gets it again`;
}

/** The results have the attempt, with each answer once. */
function* wrongResult({ userId, answers }: AttemptHistory, { results }: HomeworkHistory) {
  const stored = results.people.filter((person) => person.userId === userId);
  const attempts = stored.flatMap((person) => person.attempts);
  if (stored.length !== 1 || attempts.length !== 1)
    yield `the results have ${stored.length} entries of ${userId}, with ${attempts.length} attempts`;
  const judged = answers.flatMap(({ result }) => result ?? []);
  const right = judged.filter(({ isCorrect }) => isCorrect).length;
  const unknown = answers.length - judged.length;
  for (const { answered, correct, finishedAt } of attempts) {
    if (answered !== answers.length)
      yield `${userId} has answered ${answers.length} times, the results have ${answered}`;
    if (correct < right || correct > right + unknown)
      yield `${userId} has ${right} right answers, the results have ${correct}`;
    if (finishedAt === null) yield `the attempt of ${userId} is not finished in the results`;
  }
}

/** The best is that of the finished attempts which the assignment allows. */
function* wrongBests({ results: { assignment, people } }: HomeworkHistory) {
  for (const { userId, attempts, best } of people) {
    const counting = attempts.filter(
      ({ attempt, finishedAt }) => attempt <= assignment.attempts && finishedAt !== null,
    );
    const right = counting.length === 0 ? null : Math.max(...counting.map(({ correct }) => correct));
    if ((best?.correct ?? null) !== right) yield `the best of ${userId} is ${best?.correct ?? null}, not ${right}`;
  }
}

/** The shares of right answers are checked where every judgement is known. */
function* wrongShares({ attempts, results }: HomeworkHistory) {
  for (const { questionId, rightShare } of results.questions) {
    const answers = attempts.flatMap((attempt) => attempt.answers.filter((answer) => answer.questionId === questionId));
    const judged = answers.flatMap(({ result }) => result ?? []);
    if (judged.length < answers.length || judged.length === 0) continue;
    const share = judged.filter(({ isCorrect }) => isCorrect).length / judged.length;
    if (Math.abs(share - (rightShare ?? -1)) > 1e-9)
      yield `the share of right answers to ${questionId} is ${rightShare}, not ${share}`;
  }
}
