// What a list's terms are to questions: pure. [contract 3, 14]
import { normalise, type Term } from '../rules.ts';

/** A term as its list holds it. */
interface Written {
  sourceText: string;
  targetText: string;
  sourceGloss?: string | undefined;
}

/** @returns the first of all terms that say the same, in their order */
export function withoutRepetitions<T extends Written>(terms: T[]): T[] {
  const first = new Map<string, T>();
  for (const term of terms) {
    const { sourceText, targetText, sourceGloss = '' } = term;
    const key = [sourceText, targetText, sourceGloss].map(normalise).join('\n');
    if (!first.has(key)) first.set(key, term);
  }
  return [...first.values()];
}

/** @returns the terms as pools hold them */
export function toTerms(terms: readonly Written[]): Term[] {
  return terms.map(({ sourceText, targetText, sourceGloss = null }) => ({
    sourceText,
    targetText,
    sourceGloss,
    sourceKey: normalise(sourceText),
    targetKey: normalise(targetText),
    field: null,
  }));
}
