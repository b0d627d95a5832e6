// The decks that an import writes to: made when their first term comes, and counted in the end.
import type { Client } from 'pg';
import { wordsName } from '../rules.ts';
import type { Deck } from '../schema.ts';
import { recount } from './recount.ts';

/** The decks' ids, and which of them have changed. */
export interface ImportedDecks {
  /** @returns the id of each of `decks`, in their order */
  idsOf(decks: Deck[]): Promise<number[]>;
  /** Notes that a term is new, or another. */
  noteChange(deckId: number): void;
  /** @returns the ids of those that have changed */
  changed(): number[];
  /** Counts anew what has changed. */
  recount(): Promise<void>;
}

/** @param client in a transaction, to which everything here belongs */
export function createImportedDecks(client: Client): ImportedDecks {
  const ids = new Map<string, number>();
  const changed = new Set<number>();

  async function idOf(deck: Deck): Promise<number> {
    // The update changes nothing, but only a written row is returned.
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO deck (source_language, target_language, pos, difficulty) VALUES ($1, $2, $3, $4)
       ON CONFLICT (source_language, target_language, pos, difficulty)
         DO UPDATE SET pos = EXCLUDED.pos
       RETURNING id`,
      [deck.sourceLanguage, deck.targetLanguage, deck.pos, deck.difficulty],
    );
    return (rows[0] as { id: number }).id;
  }

  return {
    async idsOf(decks) {
      const keys = decks.map(wordsName);
      for (const [at, key] of keys.entries())
        if (!ids.has(key)) ids.set(key, await idOf(decks[at] as Deck));
      return keys.map((key) => ids.get(key) as number);
    },
    noteChange: (deckId) => changed.add(deckId),
    changed: () => [...changed],
    recount: () => recount(client, [...changed]),
  };
}
