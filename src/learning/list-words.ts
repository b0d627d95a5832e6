// `GET /api/v1/words` lists the words of a deck or list in pages, with what the user knows of each. A deck may have a
// million terms, so that a request examines a limited number of them, and the client asks on. [contract 13]
import type { Services } from '../services.ts';
import { requireList } from '../vocabulary/lists/store.ts';
import { type ListDirection, normalise, promptKey, type Term, toWord, wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { deckKey } from '../vocabulary/store.ts';
import { KNOWN_STABILITY_DAYS } from './rules.ts';
import { type WordPage, type WordsQuery, wordCursor } from './schema.ts';
import { wordId } from './word-ids.ts';
import * as store from './words-store.ts';

/** A page is mostly full after one step, and ends after these, which read a whole list. */
const PROMPTS_A_STEP = 200;
const MAX_STEPS = 10;
/** Every other id is greater. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Word = WordPage['words'][number];

/**
 * @returns a page of the words, in the order of their normalised prompts
 * @throws AppError LIST_NOT_FOUND
 */
export async function listWords(
  deps: Pick<Services, 'db' | 'pools'>,
  userId: string,
  { limit, after, state, search = '', ...words }: WordsQuery,
): Promise<WordPage> {
  const read = await ('listId' in words ? readerOfList(deps, userId, words) : readerOfDeck(deps, userId, words, state));
  const name = wordsName(words);
  const direction = 'listId' in words && words.reverse ? { reverse: true as const } : {};
  const [firstPrompt, firstId] = after ?? ['', FIRST_ID];
  const prefix = normalise(search);
  const found: { prompt: string; word: Word }[] = [];
  let from: string | undefined = firstPrompt;
  for (let step = 0; from !== undefined && step < MAX_STEPS && found.length <= limit; step++) {
    const { prompts, terms } = await read({ from, prefix, limit: PROMPTS_A_STEP + 1 });
    from = prompts[PROMPTS_A_STEP];
    const asked = inOrder(name, prompts.slice(0, PROMPTS_A_STEP), terms).filter(
      ({ prompt, id }) => prompt !== firstPrompt || id >= firstId,
    );
    const ids = asked.map(({ id }) => id);
    const known = await store.findKnowledge(deps.db, userId, ids);
    for (const { prompt, id, terms: ofWord } of asked) {
      const word = { ...wordOf(id, ofWord, known.get(id)), ...direction };
      const isWanted = state === undefined || (state === 'suspended' ? word.suspended : word.state === state);
      if (isWanted) found.push({ prompt, word });
    }
  }
  const beyond = found[limit];
  const nextPrompt = beyond?.prompt ?? from;
  return {
    words: found.slice(0, limit).map(({ word }) => word),
    next: nextPrompt === undefined ? null : wordCursor.toText([nextPrompt, beyond?.word.wordId ?? FIRST_ID]),
  };
}

/** @returns the words of these prompts in their order; those with the same prompt in the order of their ids */
function inOrder(name: string, prompts: readonly string[], terms: readonly Term[]) {
  const byPrompt = Map.groupBy(terms, ({ sourceKey }) => sourceKey);
  return prompts.flatMap((prompt) =>
    [...Map.groupBy(byPrompt.get(prompt) ?? [], promptKey)]
      .map(([key, ofWord]) => ({ prompt, id: wordId(name, key), terms: ofWord }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
}

function wordOf(wordId: string, terms: readonly Term[], known: store.Knowledge | undefined): Word {
  const { sourceText = '', sourceGloss = null } = terms[0] ?? {};
  const answeredState = (known?.stability ?? 0) >= KNOWN_STABILITY_DAYS ? 'known' : 'learning';
  return {
    wordId,
    ...toWord({ sourceText, sourceGloss }),
    accepted: terms.map(({ targetText }) => targetText),
    state: known ? answeredState : 'new',
    due: known && !known.suspended ? known.due.toISOString() : null,
    suspended: known?.suspended ?? false,
  };
}

/** Reads the normalised prompts of a range in their order, and the terms of these prompts in any order. */
type ReadPrompts = (range: store.PromptRange) => Promise<{ prompts: string[]; terms: readonly Term[] }>;

/** Prompts whose words can't have the state may be passed over. */
async function readerOfDeck(
  { db }: Pick<Services, 'db'>,
  userId: string,
  deck: Deck,
  state: WordsQuery['state'],
): Promise<ReadPrompts> {
  const found = await db.deck.findFirst({ where: deckKey(deck), select: { id: true } });
  if (!found) return async () => ({ prompts: [], terms: [] });
  const learned = state === undefined || state === 'new' ? undefined : { userId, state };
  return (range) => store.findWords(db, found.id, range, learned);
}

/** A list is in memory as a whole. */
async function readerOfList(
  { db, pools }: Pick<Services, 'db' | 'pools'>,
  userId: string,
  list: ListDirection,
): Promise<ReadPrompts> {
  const { terms } = await pools.pool(await requireList(db, list, userId));
  const byPrompt = Map.groupBy(terms, ({ sourceKey }) => sourceKey);
  const all = [...byPrompt.keys()].toSorted();
  return async ({ from, prefix, limit }) => {
    const prompts = all.filter((prompt) => prompt >= from && prompt.startsWith(prefix)).slice(0, limit);
    return { prompts, terms: prompts.flatMap((prompt) => byPrompt.get(prompt) ?? []) };
  };
}
