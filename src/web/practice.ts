// Practising the words that one has just missed: the same questions once more, judged in the page. The
// service isn't asked, since all that it could tell is known: it works at once, without a network, and
// with lists that one can't read. Its memory has the miss, and brings the word back when it is due; to be
// right a minute after having read the answer would tell it nothing. Pure.
import { inRandomOrder, type RandomInt } from '../vocabulary/random-order.ts';
import type { Question } from '../vocabulary/schema.ts';
import type { GameState } from './game-state.ts';
import type { Judgement, MissedQuestion, Quiz } from './quiz-state.ts';

type Solved = Pick<MissedQuestion, 'question' | 'correctOptionId'>;

/**
 * @param random from 0 to below its bound: nobody learns the places of the answers by heart
 * @param lobby the code of the game that they were missed in, for the way back
 */
export function practise(
  missed: readonly MissedQuestion[],
  settings: Quiz['settings'],
  random: RandomInt,
  lobby?: string,
): Quiz {
  const solved = [...inRandomOrder(missed, random)].map((one) => mixed(one, random));
  return {
    settings,
    session: { sessionId: '', expiresAt: '', questions: solved.map(({ question }) => question) },
    verdicts: [],
    at: 0,
    correct: 0,
    practice: {
      solutions: solved.map(({ correctOptionId }) => correctOptionId),
      ...(lobby && { lobby }),
    },
  };
}

/** @returns what a service would say of an answer to the question on the screen */
export function judgeHere({ practice, at, correct }: Quiz, selectedOptionId: number): Judgement {
  const correctOptionId = practice?.solutions[at] ?? 0;
  const isCorrect = selectedOptionId === correctOptionId;
  return {
    ...{ selectedOptionId, correctOptionId, isCorrect },
    score: { correct: correct + Number(isCorrect) },
  };
}

/** @returns what a player of a game did not get right, or not in time */
export function missedBy(ownId: string, { resolved }: GameState): MissedQuestion[] {
  return resolved.flatMap(({ question, answers, correctOptionId }) => {
    const own = answers.find(({ userId }) => userId === ownId);
    if (!question || !own || own.isCorrect) return [];
    return [{ question, correctOptionId, selectedOptionId: own.selectedOptionId }];
  });
}

function mixed({ question, correctOptionId }: Solved, random: RandomInt): Solved {
  const order = [...inRandomOrder(question.options, random)];
  const options = order.map(({ text }, optionId) => ({ optionId, text }));
  const asked: Question = { ...question, options };
  return {
    question: asked,
    correctOptionId: order.findIndex(({ optionId }) => optionId === correctOptionId),
  };
}
