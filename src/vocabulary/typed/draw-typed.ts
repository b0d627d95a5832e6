// Draws typed questions. A start compares nothing: which translations are accepted depends on the prompt alone.
// [contract 20]
import { BUDGETS } from '../../budgets.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Pool, requireSupply, type Term } from '../rules.ts';
import { findTranslations } from './store.ts';

/** A typed question without its id. */
export interface DrawnTyped {
  term: Term;
  /** The accepted translations, the asked one at first, and then the others in the order of the deck or list. */
  accepted: readonly string[];
}

/**
 * @param terms the terms in the order in which they are asked; of each prompt the first one is
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS
 */
export async function drawTyped(
  db: Database,
  { pool, terms, count }: { pool: Pool; terms: Iterable<Term>; count: number },
): Promise<DrawnTyped[]> {
  requireSupply(pool.supply, count, 'typed');
  const asked = new Map<string, Term>();
  for (const term of terms) {
    const prompt = pool.promptOf(term);
    if (!asked.has(prompt)) asked.set(prompt, term);
    if (asked.size === count) break;
  }
  const byPrompt = await translationsOf(db, pool, [...asked.values()]);
  return [...asked].map(([prompt, term]) => {
    const ofPrompt = byPrompt.get(prompt) ?? [term];
    // PostgreSQL keeps no order of a deck's terms, and what is accepted must not change from start to start.
    return ask(term, pool.deckId === undefined ? ofPrompt : ofPrompt.toSorted(byTranslation));
  });
}

const byTranslation = (one: Term, other: Term) => (one.targetKey < other.targetKey ? -1 : 1);

/** @returns by `promptKey` all translations of the drawn prompts; those of a large deck are not all in the pool */
async function translationsOf(
  db: Database,
  pool: Pool,
  drawn: readonly Term[],
): Promise<ReadonlyMap<string, readonly Term[]>> {
  const { deckId, isWhole, byPrompt, promptOf } = pool;
  if (isWhole || deckId === undefined) return byPrompt;
  const keys = drawn.map(({ sourceKey }) => sourceKey);
  return Map.groupBy(await findTranslations(db, deckId, keys), promptOf);
}

/** @returns the question; a text that is not accepted is not asked */
function ask(term: Term, ofPrompt: readonly Term[]): DrawnTyped {
  const accepted = acceptedOf(ofPrompt);
  const text = accepted.includes(term.targetText) ? term.targetText : (accepted[0] as string);
  return { term, accepted: [text, ...accepted.filter((other) => other !== text)] };
}

/**
 * @param ofPrompt all terms of one prompt with one gloss, in the order of the deck or list
 * @returns the first texts, as many as have room beside any of them, whichever of them is asked
 */
export function acceptedOf(ofPrompt: readonly Pick<Term, 'targetText'>[]): string[] {
  const texts = [...new Set(ofPrompt.map(({ targetText }) => targetText))];
  let bytes = 0;
  let shortest = Number.POSITIVE_INFINITY;
  const end = texts.findIndex((text) => {
    const length = Buffer.byteLength(text);
    bytes += length;
    shortest = Math.min(shortest, length);
    return bytes - shortest > BUDGETS.acceptedTexts.max;
  });
  return end < 0 ? texts : texts.slice(0, end);
}
