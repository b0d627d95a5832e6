// Judges questions, quizzes and homework: a question has exactly one right answer, and a quiz judges each once and for
// its owner only. The client library, on which all players stand, checks that nobody changes a right answer after its
// question was shown. [contract 3, 12, 14, 21]
import { isDeepStrictEqual } from 'node:util';
import type { Question, ServerEvent } from '../../../client/types.ts';
import type { ListTerm, Violation } from '../history.ts';
import type { HomeworkHistory, QuizHistory } from '../learn.ts';
import type { Wrong } from './log.ts';

/** A question with its right option, or null while that is unknown, and the event that asks it in a lobby. */
interface JudgedQuestion {
  question: Question;
  correctOptionId: number | null;
  event?: ServerEvent;
}

const OPTIONS = 4;
/** The fields of a question and of an option. Any other one could tell which option is right. */
const QUESTION_FIELDS = ['questionId', 'prompt', 'gloss', 'options', 'answerMode', 'commitment'];
const OPTION_FIELDS = ['optionId', 'text'];
const plain = (text: string) => text.normalize('NFC').toLowerCase().trim();

const surplus = (of: object, fields: readonly string[]) => Object.keys(of).filter((field) => !fields.includes(field));

/**
 * A question has four different options, of which one translates the prompt, and no word comes twice in a game.
 * [contract 3, 14]
 * @param words the terms that questions are drawn from, or null if they are not known
 */
export function* wrongQuestions(asked: readonly JudgedQuestion[], words: readonly ListTerm[] | null): Generator<Wrong> {
  const known = new Set<string>();
  for (const { question, correctOptionId, event } of asked) {
    for (const text of wrongQuestion(question)) yield [`question ${question.questionId} ${text}`, event];
    const { prompt, gloss } = question;
    const word = `${plain(prompt)}\n${plain(gloss ?? '')}`;
    if (known.has(word)) yield [`${prompt} is asked twice`, event];
    known.add(word);
    for (const text of words ? wrongWords(question, correctOptionId, words) : []) yield [text, event];
  }
}

function* wrongQuestion(question: Question): Generator<string> {
  const { options = [], commitment } = question;
  if (!commitment) yield 'comes without a commitment';
  const fields = [...surplus(question, QUESTION_FIELDS), ...options.flatMap((of) => surplus(of, OPTION_FIELDS))];
  if (fields.length > 0) yield `tells ${fields.join()}`;
  const texts = new Set(options.map(({ text }) => plain(text)));
  if (texts.size !== OPTIONS) yield `has ${texts.size} different options`;
  if (options.some(({ optionId }, index) => optionId !== index)) yield 'has options that are not numbered';
}

/** All words of a question are in the list, and the right option alone is a translation of the prompt. */
function* wrongWords(
  { prompt, options = [] }: Question,
  correctOptionId: number | null,
  words: readonly ListTerm[],
): Generator<string> {
  const meanings = words.filter(({ sourceText }) => sourceText === prompt);
  if (meanings.length === 0) yield `${prompt} is not in the list`;
  for (const { text, optionId } of options) {
    if (!words.some(({ targetText }) => targetText === text)) yield `${text} is not in the list`;
    if (correctOptionId === null) continue;
    const isMeant = meanings.some(({ targetText }) => targetText === text);
    if (optionId === correctOptionId && !isMeant) yield `${text} is no translation of ${prompt}`;
    if (optionId !== correctOptionId && isMeant) yield `${text}, which is a translation of ${prompt}, is wrong`;
  }
}

type QuizPart = Omit<QuizHistory, 'expiresAt'>;
type Attempt = HomeworkHistory['attempts'][number];

/**
 * A quiz has as many questions as were requested, judges each once and for its owner only, by the promised option, and
 * its score counts what was judged. [contract 3, 12]
 */
export function checkQuiz(quiz: QuizPart): Violation[] {
  const { questions, answers, questionCount, words, sessionId } = quiz;
  const answerTo = (id: string) => answers.find(({ questionId }) => questionId === id);
  const solutionOf = (id: string) => answerTo(id)?.result?.correctOptionId ?? null;
  const asked = questions.map((question) => ({ question, correctOptionId: solutionOf(question.questionId) }));
  const texts = [
    ...(questions.length === questionCount ? [] : [`has ${questions.length} questions`]),
    ...[...wrongQuestions(asked, words)].map(([text]) => text),
    ...wrongAnswers(quiz),
  ];
  return texts.map((text) => ({ kind: 'quiz', text: `quiz ${sessionId}: ${text}` }));
}

function* wrongAnswers({ questions, questionCount, answers }: QuizPart): Generator<string> {
  let correct = 0;
  for (const [index, { questionId, optionId, result, refusal, again, stranger }] of answers.entries()) {
    const number = index + 1;
    /** The error code of an answer to a question that is already judged. */
    const over = number === questions.length ? 'SESSION_NOT_FOUND' : 'QUESTION_ALREADY_ANSWERED';
    if (again !== over) yield `answer ${number}, sent again, is ${again}, not ${over}`;
    if (stranger !== null && stranger !== 'SESSION_FORBIDDEN') yield `a stranger's answer is ${stranger}`;
    if (!result) {
      yield `answer ${number} of ${answers.length} is refused with ${refusal}`;
      continue;
    }
    const { selectedOptionId, correctOptionId, isCorrect, score } = result;
    if (selectedOptionId !== optionId || result.questionId !== questionId)
      yield `answer ${number} was ${optionId}, judged is ${selectedOptionId}`;
    if (isCorrect !== (selectedOptionId === correctOptionId))
      yield `answer ${number} is not judged by its right option`;
    if (isCorrect) correct++;
    if (score.answered !== number || score.total !== questionCount || score.correct !== correct)
      yield `after answer ${number} the score is ${JSON.stringify(score)}`;
  }
}

/** An assignment asks everybody the same, and its results have each attempt, with each answer once. [contract 21] */
export function checkHomework({ code, attempts, questionCount, results }: HomeworkHistory): Violation[] {
  const idsOf = ({ questions }: Attempt) => questions.map(({ questionId }) => questionId);
  const asked = new Set(attempts.map((attempt) => idsOf(attempt).toSorted().join()));
  const texts = [
    ...(asked.size > 1 ? ['people are asked different questions'] : []),
    ...attempts.flatMap((attempt) => [...wrongAgain(attempt), ...wrongResult(attempt, results)]),
  ];
  return [
    ...texts.map((text) => ({ kind: 'homework', text: `assignment ${code}: ${text}` })),
    ...attempts.flatMap((attempt) => checkQuiz({ ...attempt, questionCount, words: null })),
  ];
}

/** The attempt that another start gives is the same, with the judgements until then. */
function* wrongAgain({ userId, sessionId, otherId, answers, again: { session, done } }: Attempt): Generator<string> {
  if (otherId !== sessionId) yield `two starts at once of ${userId} began two attempts`;
  if (session.sessionId !== sessionId) yield `${userId} got another attempt again`;
  if (session.answered.length !== done) yield `after ${done} answers ${userId} got ${session.answered.length} again`;
  const given = new Map(session.answered.map((known) => [known.questionId, known]));
  for (const { questionId, result } of answers.slice(0, done))
    if (result && !isDeepStrictEqual(given.get(questionId), result))
      yield `the judgement of ${questionId} is told otherwise when ${userId} gets it again`;
}

/** The results have the attempt, with each answer once. */
function* wrongResult({ userId, answers }: Attempt, { people }: HomeworkHistory['results']): Generator<string> {
  const stored = people.filter((person) => person.userId === userId);
  const attempts = stored.flatMap((person) => person.attempts);
  if (stored.length !== 1 || attempts.length !== 1)
    yield `the results have ${stored.length} entries of ${userId}, with ${attempts.length} attempts`;
  const right = answers.filter(({ result }) => result?.isCorrect).length;
  for (const { answered, correct, finishedAt } of attempts) {
    if (answered !== answers.length)
      yield `${userId} has answered ${answers.length} times, the results have ${answered}`;
    if (correct !== right) yield `${userId} has ${right} right answers, the results have ${correct}`;
    if (finishedAt === null) yield `the attempt of ${userId} is not finished in the results`;
  }
}
