// Practice of the words that the user has just missed: the same questions again, judged in the page. So it
// works without a network, and with lists that the user can't read. The service does not count these answers:
// a right answer a minute after its solution was shown says nothing about the user's memory. Pure.
import { verdictOf } from '../../judging/verdict.ts';
import { inRandomOrder, type RandomInt } from '../../vocabulary/random-order.ts';
import { answerOf, type GivenAnswer } from '../game/answers.ts';
import type { GameState } from '../game/game-state.ts';
import { type Judgement, type MissedQuestion, missedQuestions, nextQuestion, type Quiz } from './quiz-state.ts';

type SolvedQuestion = Pick<MissedQuestion, 'question' | 'solution'>;

/**
 * @param random shuffles the questions and their options, so that nobody learns the options' places
 * @param lobby the code of the lobby whose game it was, for the link back
 */
export function practise(
  missed: readonly MissedQuestion[],
  settings: Quiz['settings'],
  lobby?: string,
  random: RandomInt = randomInt,
): Quiz {
  const solved = [...inRandomOrder(missed, random)].map((one) => shuffleOptions(one, random));
  return {
    settings,
    session: { sessionId: '', expiresAt: '', questions: solved.map(({ question }) => question) },
    verdicts: [],
    at: 0,
    correct: 0,
    practice: { solutions: solved.map(({ solution }) => solution), ...(lobby && { lobby }) },
  };
}

/** @returns the quiz after its last question, with its missed words asked once more */
export function repeatMissed(quiz: Quiz, random: RandomInt = randomInt): Quiz {
  const repetition = practise(missedQuestions(quiz), quiz.settings, undefined, random);
  return { ...nextQuestion(quiz), repetition };
}

/** @returns the judgement that the service would give for an answer to the current question */
export function judgeLocally(quiz: Quiz, given: GivenAnswer): Judgement {
  const { practice, settings, at, correct } = quiz;
  const solution = practice?.solutions[at] ?? {};
  if ('optionId' in given) {
    const { optionId: selectedOptionId } = given;
    const isCorrect = selectedOptionId === solution.correctOptionId;
    const score = { correct: correct + Number(isCorrect) };
    return { ...solution, selectedOptionId, isCorrect, score };
  }
  const { text: submittedText } = given;
  // The page does not know other prompts' translations, for which the service refuses `close`.
  const { accepted = [] } = solution;
  const verdict = verdictOf(submittedText, { accepted, language: settings.targetLanguage ?? '' });
  const isCorrect = verdict !== 'wrong';
  const score = { correct: correct + Number(isCorrect) };
  return { ...solution, submittedText, verdict, isCorrect, score };
}

/**
 * @param answerTo finds the player's answer to a question, if it is known
 * @returns the questions that a player answered wrong or not at all
 */
export function missedBy(
  ownId: string,
  { resolved }: GameState,
  answerTo: (questionId: string) => GivenAnswer | null,
): MissedQuestion[] {
  return resolved.flatMap(({ question, answers, correctOptionId, correctText, accepted }) => {
    const own = answers.find(({ userId }) => userId === ownId);
    if (!question || !own || own.isCorrect) return [];
    const solution = { correctOptionId, correctText, accepted };
    return [{ question, solution, given: answerOf(own, answerTo(question.questionId)) }];
  });
}

/** These random numbers need not be secret. @returns an integer from 0 to below `bound` */
function randomInt(bound: number): number {
  return Math.floor(Math.random() * bound);
}

function shuffleOptions({ question, solution }: SolvedQuestion, random: RandomInt): SolvedQuestion {
  if (!question.options) return { question, solution };
  const order = [...inRandomOrder(question.options, random)];
  const options = order.map(({ text }, optionId) => ({ optionId, text }));
  const right = order.findIndex(({ optionId }) => optionId === solution.correctOptionId);
  return { question: { ...question, options }, solution: { correctOptionId: right } };
}
