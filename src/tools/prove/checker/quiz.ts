// A single-player quiz: it has as many questions as were requested, judges each once and for its owner only,
// by the promised option, and its score counts what was judged. [contract 3, 12]
import type { QuizAnswer, QuizHistory, Violation } from '../history.ts';
import { commitmentOf } from './commitments.ts';
import { wrongQuestions } from './questions.ts';

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
  const { questionId, optionId, result, refusal, isRepeated, again, stranger } = answer;
  const isLast = index === questions.length - 1;
  /** The error code of an answer to a question that is already judged. */
  const over = isLast ? 'SESSION_NOT_FOUND' : 'QUESTION_ALREADY_ANSWERED';
  if (!result && !(isRepeated && refusal === over))
    yield `answer ${index + 1} of ${answers.length} is refused with ${refusal}`;
  if (again !== over) yield `answer ${index + 1}, sent again, is ${again}, not ${over}`;
  if (stranger !== null && stranger !== 'SESSION_FORBIDDEN') yield `a stranger's answer is ${stranger}`;
  if (!result) return;
  const { selectedOptionId, correctOptionId, isCorrect } = result;
  const { commitment } = questions.find((of) => of.questionId === questionId) ?? {};
  if (selectedOptionId !== optionId || result.questionId !== questionId)
    yield `answer ${index + 1} was ${optionId}, judged is ${selectedOptionId}`;
  if (isCorrect !== (selectedOptionId === correctOptionId))
    yield `answer ${index + 1} is not judged by its right option`;
  if (commitmentOf({ ...result, questionId }) !== commitment)
    yield `the right answer of question ${index + 1} does not match its commitment`;
}

function* wrongScores({ answers, questionCount }: QuizHistory) {
  let correct = 0;
  let unknown = 0;
  for (const [index, { result }] of answers.entries()) {
    if (!result) unknown++;
    if (!result) continue;
    if (result.isCorrect) correct++;
    const { score } = result;
    const isCounted = score.correct >= correct && score.correct <= correct + unknown;
    if (score.answered !== index + 1 || score.total !== questionCount || !isCounted)
      yield `after answer ${index + 1} the score is ${JSON.stringify(score)}`;
  }
}
