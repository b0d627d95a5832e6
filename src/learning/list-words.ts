// `GET /api/v1/words` lists the words of a deck or list in pages, with what the user knows of each. A deck may have a
// million terms, so that a request examines a limited number of them, and the client asks on. [contract 13]
import type { Services } from '../services.ts';
import { requireList } from '../vocabulary/lists/store.ts';
import { type ListDirection, normalise, promptKey, wordsName } from '../vocabulary/rules.ts';
import type { Deck } from '../vocabulary/schema.ts';
import { KNOWN_STABILITY_DAYS } from './rules.ts';
import { type WordPage, type WordsQuery, wordCursor } from './schema.ts';
import { wordId } from './word-ids.ts';
import * as store from './words-store.ts';

/** The number of prompts that one step reads. A page is mostly full after the first. */
const PROMPTS_A_STEP = 200;
/** The number of steps of a request, after which a page ends even if it isn't full. They read a whole list. */
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
  const toPage = (next: [prompt: string, id: string] | null) => ({
    words: found.slice(0, limit).map(({ word }) => word),
    next: next && wordCursor.toText(next),
  });
  let from = firstPrompt;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { prompts, terms } = await read({ from, prefix, limit: PROMPTS_A_STEP + 1 });
    const next = prompts[PROMPTS_A_STEP];
    const asked = inOrder(name, prompts.slice(0, PROMPTS_A_STEP), terms).filter(
      ({ prompt, id }) => prompt !== firstPrompt || id >= firstId,
    );
    const ids = asked.map(({ id }) => id);
    const known = await store.findKnowledge(deps.db, userId, ids);
    for (const { prompt, id, terms: ofWord } of asked) {
      const word = { ...toWord(id, ofWord, known.get(id)), ...direction };
      const isWanted = state === undefined || (state === 'suspended' ? word.suspended : word.state === state);
      if (isWanted) found.push({ prompt, word });
    }
    const beyond = found[limit];
    if (beyond) return toPage([beyond.prompt, beyond.word.wordId]);
    if (next === undefined) return toPage(null);
    from = next;
  }
  return toPage([from, FIRST_ID]);
}

/** @returns the words of these prompts in their order; those with the same prompt in the order of their ids */
function inOrder(name: string, prompts: readonly string[], terms: readonly store.WordTerm[]) {
  const byPrompt = Map.groupBy(terms, ({ sourceKey }) => sourceKey);
  return prompts.flatMap((prompt) =>
    [...Map.groupBy(byPrompt.get(prompt) ?? [], promptKey)]
      .map(([key, ofWord]) => ({ prompt, id: wordId(name, key), terms: ofWord }))
      .toSorted((one, other) => (one.id < other.id ? -1 : 1)),
  );
}

function toWord(wordId: string, terms: readonly store.WordTerm[], known: store.Knowledge | undefined): Word {
  const { sourceText = '', sourceGloss = null } = terms[0] ?? {};
  const answeredState = (known?.stability ?? 0) >= KNOWN_STABILITY_DAYS ? 'known' : 'learning';
  return {
    wordId,
    prompt: sourceText,
    ...(sourceGloss !== null && { gloss: sourceGloss }),
    accepted: terms.map(({ targetText }) => targetText),
    state: known ? answeredState : 'new',
    due: known && !known.suspended ? known.due.toISOString() : null,
    suspended: known?.suspended ?? false,
  };
}

/** Reads the normalised prompts of a range in their order, and the terms of these prompts in any order. */
type ReadPrompts = (range: store.PromptRange) => Promise<{ prompts: string[]; terms: readonly store.WordTerm[] }>;

/** Prompts whose words can't have the state may be passed over. There are none where there is no such deck. */
async function readerOfDeck(
  { db }: Pick<Services, 'db'>,
  userId: string,
  { sourceLanguage, targetLanguage, pos, difficulty }: Deck,
  state: WordsQuery['state'],
): Promise<ReadPrompts> {
  const where = { sourceLanguage, targetLanguage, pos, difficulty };
  const found = await db.deck.findFirst({ where, select: { id: true } });
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
