// Compares the terms of a list, and converts them for a pool. Pure. [contract 3, 14]
import { normalise, type Term } from '../rules.ts';

/** The texts of a list's term. */
interface TermTexts {
  sourceText: string;
  targetText: string;
  sourceGloss?: string | undefined;
}

/** @returns the terms without those that repeat an earlier one, in their order */
export function withoutRepetitions<T extends TermTexts>(terms: T[]): T[] {
  const first = new Map<string, T>();
  for (const term of terms) {
    const { sourceText, targetText, sourceGloss = '' } = term;
    const key = [sourceText, targetText, sourceGloss].map(normalise).join('\n');
    if (!first.has(key)) first.set(key, term);
  }
  return [...first.values()];
}

/** @returns the terms of a pool */
export function toTerms(terms: readonly TermTexts[]): Term[] {
  return terms.map(({ sourceText, targetText, sourceGloss = null }) => ({
    sourceText,
    targetText,
    sourceGloss,
    sourceKey: normalise(sourceText),
    targetKey: normalise(targetText),
    field: null,
  }));
}
