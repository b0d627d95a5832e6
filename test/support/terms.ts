// Builds terms and draws questions from them, for tests of the rules.
import { buildQuestions, type KeyedQuestion, normalise, type Pool, type Term } from '../../src/vocabulary/rules.ts';
import { seeded } from './seeded.ts';

/** A term with its texts alone. */
export interface TermTexts {
  sourceText: string;
  targetText: string;
  sourceGloss: string | null;
}

/** @returns a term as the database stores it, with its keys for comparison */
export function stored({ sourceText, targetText, sourceGloss }: TermTexts): Term {
  const keys = { sourceKey: normalise(sourceText), targetKey: normalise(targetText) };
  return { sourceText, targetText, sourceGloss, field: null, ...keys };
}

/** @returns `count` terms with different words */
export const words = (count: number, prefix = 'w') =>
  Array.from({ length: count }, (_, at) => ({
    sourceText: `${prefix}${at}`,
    targetText: `t-${prefix}${at}`,
    sourceGloss: null,
  }));

/** @returns the questions of a game that the seed determines */
export function play(pool: Pool, count: number, seed = 1): KeyedQuestion[] {
  const random = seeded(seed);
  let id = 0;
  return [...buildQuestions({ pool, count, random, newId: () => `question-${id++}` })];
}
