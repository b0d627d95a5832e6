// Draws typed questions. Their answers are compared with all translations of the deck or list, which for a large deck
// are more than a replica has in memory: those that a question needs are then read by index. [contract 20]
import { setImmediate } from 'node:timers/promises';
import { canonicalsOf } from '../../judging/forms.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import { type Pool, requireSupply, type Term } from '../rules.ts';
import { keysNearForm } from './near-keys.ts';
import type { TypedKey } from './rules.ts';
import { findNear, findTranslations } from './store.ts';
import { indexTranslations, type Translations } from './translations.ts';

/** A typed question without its id, and what its answers are compared with. */
export interface DrawnTyped {
  term: Term;
  key: TypedKey;
}

/**
 * @param terms the terms in the order in which they are asked; of each prompt the first one is
 * @param language the ISO 639-1 code of the answers' language
 * @throws AppError NO_MATCHING_TERMS, NOT_ENOUGH_TERMS
 */
export async function drawTyped(
  db: Database,
  options: { pool: Pool; terms: Iterable<Term>; count: number; language: string },
): Promise<DrawnTyped[]> {
  const { pool, terms, count, language } = options;
  requireSupply(pool.supply, count, 'typed');
  const asked = new Map<string, Term>();
  for (const term of terms) {
    const prompt = pool.promptOf(term);
    if (!asked.has(prompt)) asked.set(prompt, term);
    if (asked.size === count) break;
  }
  const drawn = [...asked.values()];
  const translations = await translationsFor(db, pool, drawn, language);
  const questions: DrawnTyped[] = [];
  for (const term of drawn) {
    questions.push({ term, key: translations.keyOf(term) });
    // A list of the longest and most similar texts takes some ms for each of fifty questions.
    await setImmediate();
  }
  return questions;
}

/** A pool never changes, so that the translations of a whole deck or list are indexed once. */
const indexed = new WeakMap<Pool, Promise<Translations>>();

function translationsFor(
  db: Database,
  pool: Pool,
  drawn: readonly Term[],
  language: string,
): Promise<Translations> {
  if (!pool.isWhole && pool.deckId !== undefined)
    return readTranslations(db, pool, pool.deckId, drawn, language);
  const known = indexed.get(pool) ?? indexTranslations(pool.terms, pool.promptOf, language);
  indexed.set(pool, known);
  return known;
}

async function readTranslations(
  db: Database,
  { promptOf }: Pool,
  deckId: number,
  drawn: readonly Term[],
  language: string,
): Promise<Translations> {
  const accepted = await findTranslations(
    db,
    deckId,
    drawn.map(({ sourceKey }) => sourceKey),
  );
  const forms = new Set(accepted.flatMap(({ targetText }) => canonicalsOf(targetText, language)));
  const near = await findNear(db, deckId, [...new Set([...forms].flatMap(keysNearForm))]);
  return indexTranslations([...accepted, ...near], promptOf, language);
}
