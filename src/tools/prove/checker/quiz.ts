// Judges questions and single-player quizzes: a question has exactly one right answer, and a quiz judges each once and for
// its owner only. An assignment asks everybody the same, and has each answer once. The client library, on which all players
// stand, checks that nobody changes a right answer after its question was shown. [contract 3, 12, 14, 20, 21]
import { isDeepStrictEqual } from 'node:util';
import type { Question } from '../../../client/types.ts';
import type { AttemptHistory, HomeworkHistory, ListTerm, QuizAnswer, QuizHistory, Violation } from '../history.ts';

// A question has exactly one right answer: four different options, of which one translates the prompt, or no options
// where the answer is typed. No question comes twice in a game. [contract 3, 14, 20]

/** A question with its right option, or null while that is unknown. */
interface JudgedQuestion {
  question: Question;
  correctOptionId: number | null;
}

const OPTIONS = 4;
/** The fields of a question and of an option. Any other one could tell which option is right. */
const QUESTION_FIELDS = ['questionId', 'prompt', 'gloss', 'options', 'answerMode', 'commitment'];
const OPTION_FIELDS = ['optionId', 'text'];
const plain = (text: string) => text.normalize('NFC').toLowerCase().trim();

const surplus = (of: object, fields: readonly string[]) => Object.keys(of).filter((field) => !fields.includes(field));

/**
 * @param words the terms that questions are drawn from, or null if they are not known
 * @returns what is wrong, and with which question
 */
export function* wrongQuestions(
  asked: readonly JudgedQuestion[],
  words: readonly ListTerm[] | null,
): Generator<[text: string, questionId: string]> {
  const known = new Set<string>();
  for (const { question, correctOptionId } of asked) {
    const { questionId, prompt, gloss, options, commitment } = question;
    if (!commitment) yield [`question ${questionId} comes without a commitment`, questionId];
    if ((question.answerMode === 'typed') !== (options === undefined))
      yield [`question ${questionId} has another mode than its fields`, questionId];
    const fields = [
      ...surplus(question, QUESTION_FIELDS),
      ...(options ?? []).flatMap((of) => surplus(of, OPTION_FIELDS)),
    ];
    if (fields.length > 0) yield [`question ${questionId} tells ${fields.join()}`, questionId];
    const word = `${plain(prompt)}\n${plain(gloss ?? '')}`;
    if (known.has(word)) yield [`${prompt} is asked twice`, questionId];
    known.add(word);
    if (words && !words.some(({ sourceText }) => sourceText === prompt))
      yield [`${prompt} is not in the list`, questionId];
    if (!options) continue;
    const texts = new Set(options.map(({ text }) => plain(text)));
    if (texts.size !== OPTIONS) yield [`question ${questionId} has ${texts.size} different options`, questionId];
    if (options.some(({ optionId }, index) => optionId !== index))
      yield [`the options of question ${questionId} are not numbered`, questionId];
    if (!words) continue;
    const right = options.find(({ optionId }) => optionId === correctOptionId)?.text;
    const meanings = words.filter(({ sourceText }) => sourceText === prompt);
    const isMeant = (text: string) => meanings.some(({ targetText }) => targetText === text);
    if (right !== undefined && !isMeant(right)) yield [`${right} is no translation of ${prompt}`, questionId];
    for (const { text, optionId } of options) {
      if (!words.some(({ targetText }) => targetText === text)) yield [`${text} is not in the list`, questionId];
      if (correctOptionId !== null && optionId !== correctOptionId && isMeant(text))
        yield [`${text}, which is a translation of ${prompt}, is wrong`, questionId];
    }
  }
}

// A single-player quiz: it has as many questions as were requested, judges each once and for its owner only,
// by the promised option, and its score counts what was judged. [contract 3, 12]

export function checkQuiz(quiz: QuizHistory): Violation[] {
  const { questions, answers, questionCount, words, sessionId } = quiz;
  const asked = questions.map((question) => {
    const told = answers.find(({ questionId }) => questionId === question.questionId);
    return { question, correctOptionId: told?.result?.correctOptionId ?? null };
  });
  const texts = [
    ...(questions.length === questionCount ? [] : [`has ${questions.length} questions`]),
    ...[...wrongQuestions(asked, words)].map(([text]) => text),
    ...answers.flatMap((answer, index) => [...wrongAnswer(quiz, answer, index)]),
    ...wrongScores(quiz),
  ];
  return texts.map((text) => ({ kind: 'quiz', text: `quiz ${sessionId}: ${text}` }));
}

function* wrongAnswer({ questions, answers }: QuizHistory, answer: QuizAnswer, index: number) {
  const { questionId, optionId, result, refusal, again, stranger } = answer;
  const isLast = index === questions.length - 1;
  /** The error code of an answer to a question that is already judged. */
  const over = isLast ? 'SESSION_NOT_FOUND' : 'QUESTION_ALREADY_ANSWERED';
  if (!result) yield `answer ${index + 1} of ${answers.length} is refused with ${refusal}`;
  if (again !== over) yield `answer ${index + 1}, sent again, is ${again}, not ${over}`;
  if (stranger !== null && stranger !== 'SESSION_FORBIDDEN') yield `a stranger's answer is ${stranger}`;
  if (!result) return;
  const { selectedOptionId, correctOptionId, isCorrect } = result;
  if (selectedOptionId !== optionId || result.questionId !== questionId)
    yield `answer ${index + 1} was ${optionId}, judged is ${selectedOptionId}`;
  if (isCorrect !== (selectedOptionId === correctOptionId))
    yield `answer ${index + 1} is not judged by its right option`;
}

function* wrongScores({ answers, questionCount }: QuizHistory) {
  let correct = 0;
  for (const [index, { result }] of answers.entries()) {
    if (!result) continue;
    if (result.isCorrect) correct++;
    const { score } = result;
    if (score.answered !== index + 1 || score.total !== questionCount || score.correct !== correct)
      yield `after answer ${index + 1} the score is ${JSON.stringify(score)}`;
  }
}

export function checkHomework(homework: HomeworkHistory): Violation[] {
  const { code, attempts, questionCount } = homework;
  const texts = [
    ...differentQuestions(attempts),
    ...attempts.flatMap((attempt) => [...wrongAgain(attempt), ...wrongResult(attempt, homework)]),
  ];
  return [
    ...texts.map((text) => ({ kind: 'homework', text: `assignment ${code}: ${text}` })),
    ...attempts.flatMap((attempt) => checkQuiz({ ...attempt, questionCount, words: null })),
  ];
}

function differentQuestions(attempts: readonly AttemptHistory[]): string[] {
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
  const right = answers.filter(({ result }) => result?.isCorrect).length;
  for (const { answered, correct, finishedAt } of attempts) {
    if (answered !== answers.length)
      yield `${userId} has answered ${answers.length} times, the results have ${answered}`;
    if (correct !== right) yield `${userId} has ${right} right answers, the results have ${correct}`;
    if (finishedAt === null) yield `the attempt of ${userId} is not finished in the results`;
  }
}
