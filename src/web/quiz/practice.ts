// Practice of the words that the user has just missed: the same questions again, judged in the page. So it
// works without a network, and with lists that the user can't read. The service does not count these answers:
// a right answer a minute after its solution was shown says nothing about the user's memory. Pure.
import { inRandomOrder, type RandomInt } from '../../vocabulary/random-order.ts';
import type { GameState } from '../game/game-state.ts';
import type { Judgement, MissedQuestion, Quiz } from './quiz-state.ts';

type SolvedQuestion = Pick<MissedQuestion, 'question' | 'correctOptionId'>;

/**
 * @param random shuffles the questions and their options, so that nobody learns the options' places
 * @param lobby the code of the lobby whose game it was, for the link back
 */
export function practise(
  missed: readonly MissedQuestion[],
  settings: Quiz['settings'],
  random: RandomInt,
  lobby?: string,
): Quiz {
  const solved = [...inRandomOrder(missed, random)].map((one) => shuffleOptions(one, random));
  return {
    settings,
    session: { sessionId: '', expiresAt: '', questions: solved.map(({ question }) => question) },
    verdicts: [],
    at: 0,
    correct: 0,
    practice: {
      solutions: solved.map(({ correctOptionId = 0 }) => correctOptionId),
      ...(lobby && { lobby }),
    },
  };
}

/** @returns the judgement that the service would give for an answer to the current question */
export function judgeLocally({ practice, at, correct }: Quiz, selectedOptionId: number): Judgement {
  const correctOptionId = practice?.solutions[at] ?? 0;
  const isCorrect = selectedOptionId === correctOptionId;
  return {
    ...{ selectedOptionId, correctOptionId, isCorrect },
    score: { correct: correct + Number(isCorrect) },
  };
}

/** @returns the questions that a player answered wrong or not at all */
export function missedBy(ownId: string, { resolved }: GameState): MissedQuestion[] {
  return resolved.flatMap(({ question, answers, correctOptionId }) => {
    const own = answers.find(({ userId }) => userId === ownId);
    if (!question || !own || own.isCorrect) return [];
    return [{ question, correctOptionId, selectedOptionId: own.selectedOptionId }];
  });
}

function shuffleOptions(
  { question, correctOptionId }: SolvedQuestion,
  random: RandomInt,
): SolvedQuestion {
  const order = [...inRandomOrder(question.options ?? [], random)];
  const options = order.map(({ text }, optionId) => ({ optionId, text }));
  return {
    question: { ...question, options },
    correctOptionId: order.findIndex(({ optionId }) => optionId === correctOptionId),
  };
}
