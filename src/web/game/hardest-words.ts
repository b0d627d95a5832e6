// The words of a game that fewest players knew, as the terms of a list. Pure.
import type { ListRequest } from '../../client/types.ts';
import { rightText } from './answers.ts';
import type { ResolvedRound } from './game-state.ts';

/** How many words are played again. */
const HARDEST = 5;
/** How many a question with options needs: one is right, and three are wrong. */
const MIN_WORDS = 4;

/** @returns the five hardest words, the hardest first; none if they are too few for questions with options */
export function hardestWords(rounds: readonly ResolvedRound[]): ListRequest['terms'] {
  const hardest = [...rounds]
    .sort((a, b) => rightShare(a) - rightShare(b))
    .flatMap((round) => {
      const { prompt: sourceText, gloss: sourceGloss } = round.question ?? {};
      const targetText = round.question ? rightText(round.question, round) : '';
      if (!sourceText || !targetText) return [];
      return [{ sourceText, targetText, ...(sourceGloss && { sourceGloss }) }];
    })
    .slice(0, HARDEST);
  return hardest.length < MIN_WORDS ? [] : hardest;
}

/** @returns the share of right answers among all who were to answer */
function rightShare({ counts, answers }: ResolvedRound): number {
  const chosen = counts.options?.reduce((sum, count) => sum + count, counts.none);
  return counts.correct / Math.max(1, chosen ?? answers.length);
}
