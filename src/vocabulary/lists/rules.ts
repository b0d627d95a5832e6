// The rules of users' lists, for the service and the page: limits, languages, and which terms count as repeated. Pure. [contract 3, 14]
import { normalise, type Term } from '../rules.ts';

interface TermTexts {
  sourceText: string;
  targetText: string;
  sourceGloss?: string | undefined;
}

/** @returns the terms in their order, without those that repeat an earlier one */
export function withoutRepetitions<T extends TermTexts>(terms: T[]): T[] {
  const first = new Map<string, T>();
  for (const term of terms) {
    const { sourceText, targetText, sourceGloss = '' } = term;
    const key = [sourceText, targetText, sourceGloss].map(normalise).join('\n');
    if (!first.has(key)) first.set(key, term);
  }
  return [...first.values()];
}

/** @returns the term as it is asked the other way round; terms that differed by their glosses may be equal then. [contract 26] */
export function reversed({ sourceText, targetText }: TermTexts): TermTexts {
  return { sourceText: targetText, targetText: sourceText };
}

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

/** A list of fewer than four terms can be asked only where answers are typed. */
export const LIST_TERMS = { min: 1, max: 2000 } as const;

/** The maximum lengths of texts, in code points. */
export const MAX_LENGTHS = { name: 80, sourceText: 120, targetText: 120, sourceGloss: 200 } as const;

/**
 * All two-letter codes of ISO 639-1, from the registration authority's table
 * (https://www.loc.gov/standards/iso639-2/php/code_list.php).
 */
export const ISO_639_1_CODES: ReadonlySet<string> = new Set(
  [
    'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy',
    'da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy',
    'hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li',
    'ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa',
    'pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th',
    'ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu',
  ].flatMap((line) => line.split(' ')),
);
