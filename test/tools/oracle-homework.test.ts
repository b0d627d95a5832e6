// The checker of homework in `npm run prove` and in chaos accepts a correct history, and reports each single change
// that makes it wrong. [contract 21]
import { expect, it } from 'vitest';
import { checkHomework } from '../../src/tools/prove/checker/quiz.ts';
import type { HomeworkHistory } from '../../src/tools/prove/history.ts';

const NONCE = 'nonce';
const IDS = ['q1', 'q2'];

/** Ann answers both questions, the first one right, and gets the attempt again after one answer. */
function homework() {
  const questions = IDS.map((questionId) => ({
    questionId,
    prompt: questionId,
    options: ['a', 'b', 'c', 'd'].map((text, optionId) => ({ optionId, text: `${questionId} ${text}` })),
    commitment: 'c',
  }));
  const answers = IDS.map((questionId, at) => ({
    questionId,
    optionId: at,
    refusal: null,
    stranger: null,
    again: at === 0 ? 'QUESTION_ALREADY_ANSWERED' : 'SESSION_NOT_FOUND',
    result: {
      sessionId: 's',
      questionId,
      selectedOptionId: at,
      correctOptionId: 0,
      nonce: NONCE,
      isCorrect: at === 0,
      score: { correct: 1, answered: at + 1, total: 2 },
    },
  }));
  const session = { sessionId: 's', expiresAt: '', questions, attempt: 1 };
  const attempt = {
    userId: 'ann',
    sessionId: 's',
    otherId: 's',
    questions,
    answers,
    again: { done: 1, session: { ...session, answered: structuredClone([answers[0]?.result]) } },
  };
  const summary = { attempt: 1, startedAt: '', finishedAt: 'then', correct: 1, answered: 2, total: 2 };
  const person = { userId: 'ann', name: 'Ann', isGuest: false, attempts: [summary] };
  return { attempt, summary, person };
}

const textsOf = ({ attempt, person }: ReturnType<typeof homework>) =>
  checkHomework({
    code: '7KQ2ZD9M',
    questionCount: 2,
    attempts: [attempt],
    results: { people: [person] },
  } as object as HomeworkHistory).map(({ text }) => text);

it('homework whose every answer is in the results once has no violation', () => {
  expect(textsOf(homework())).toEqual([]);
});

it.each<[string, RegExp, (of: ReturnType<typeof homework>) => unknown]>([
  ['two attempts begin at once', /began two attempts/, (of) => (of.attempt.otherId = 't')],
  ['another attempt is given again', /got another attempt/, (of) => (of.attempt.again.session.sessionId = 't')],
  ['an answer is missing in it', /after 1 answers ann got 0/, (of) => of.attempt.again.session.answered.pop()],
  [
    'a judgement is told otherwise',
    /told otherwise/,
    (of) => Object.assign(of.attempt.again.session.answered[0] ?? {}, { isCorrect: false }),
  ],
  ['an answer is lost', /answered 2 times, the results have 1/, (of) => (of.summary.answered = 1)],
  ['an answer counts twice', /has 1 right answers, the results have 2/, (of) => (of.summary.correct = 2)],
  ['a person is missing', /0 entries of ann/, (of) => (of.person.userId = 'ben')],
  ['a finished attempt is open', /not finished/, (of) => Object.assign(of.summary, { finishedAt: null })],
  [
    'an answer is refused',
    /answer 2 of 2 is refused/,
    (of) => Object.assign(of.attempt.answers[1] ?? {}, { result: null, refusal: 'SESSION_NOT_FOUND' }),
  ],
])('it is a violation when %s', (_, text, change) => {
  const changed = homework();
  change(changed);
  expect(textsOf(changed).join('\n')).toMatch(text);
});
