// Reads the prompts of a deck or list in steps, with their terms. [contract 13]
import type { Database } from '../../platform/postgres/postgres.ts';
import { requireList } from '../../vocabulary/lists/store.ts';
import type { Pools } from '../../vocabulary/pools.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import type { DeckOrList } from '../../vocabulary/words.ts';
import type { WordsQuery } from './query-schema.ts';
import {
  findDeckId,
  findLearnedPrompts,
  findPrompts,
  findTermsOfPrompts,
  type PromptRange,
  type WordTerm,
} from './store.ts';

export interface ReadPromptsDeps {
  db: Database;
  pools: Pick<Pools, 'pool'>;
}

/** Which prompts are read. */
export interface PromptsWanted {
  words: DeckOrList;
  /** Prompts whose words can't have this state may be passed over. */
  state: WordsQuery['state'];
}

/** Reads the normalised prompts of a range in their order, and the terms of these prompts in any order. */
export type ReadPrompts = (range: PromptRange) => Promise<{ prompts: string[]; terms: readonly WordTerm[] }>;

/**
 * @returns a function that reads the prompts, none where there is no such deck
 * @throws AppError LIST_NOT_FOUND
 */
export function promptReader(
  deps: ReadPromptsDeps,
  userId: string,
  { words, state }: PromptsWanted,
): Promise<ReadPrompts> {
  return 'listId' in words ? readerOfList(deps, userId, words.listId) : readerOfDeck(deps, userId, words, state);
}

async function readerOfDeck(
  { db }: ReadPromptsDeps,
  userId: string,
  deck: Deck,
  state: WordsQuery['state'],
): Promise<ReadPrompts> {
  const deckId = await findDeckId(db, deck);
  if (deckId === null) return async () => ({ prompts: [], terms: [] });
  return async (range) => {
    const prompts =
      state === undefined || state === 'new'
        ? await findPrompts(db, deckId, range)
        : await findLearnedPrompts(db, userId, deckId, state, range);
    return { prompts, terms: await findTermsOfPrompts(db, deckId, prompts) };
  };
}

/** A list is in memory as a whole. */
async function readerOfList({ db, pools }: ReadPromptsDeps, userId: string, listId: string): Promise<ReadPrompts> {
  const { terms } = await pools.pool(await requireList(db, listId, userId));
  const byPrompt = Map.groupBy(terms, ({ sourceKey }) => sourceKey);
  const all = [...byPrompt.keys()].toSorted();
  return async ({ from, prefix, limit }) => {
    const prompts = all.filter((prompt) => prompt >= from && prompt.startsWith(prefix)).slice(0, limit);
    return { prompts, terms: prompts.flatMap((prompt) => byPrompt.get(prompt) ?? []) };
  };
}
