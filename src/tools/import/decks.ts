// The decks of an import. A deck is inserted with its first term, and counted at the end of the import.
import type { Client } from 'pg';
import { wordsName } from '../../vocabulary/rules.ts';
import type { Deck } from '../../vocabulary/schema.ts';
import { recount } from './recount.ts';

/** The ids of the decks, and the decks that have changed. */
export interface ImportedDecks {
  /** @returns the ids of `decks`, in the same order */
  idsOf(decks: Deck[]): Promise<number[]>;
  /** Marks a deck as changed. */
  noteChange(deckId: number): void;
  /** Counts the terms and questions of the changed decks. */
  recount(): Promise<void>;
}

/** @param client a connection in the transaction of the import */
export function createImportedDecks(client: Client): ImportedDecks {
  const ids = new Map<string, number>();
  const changed = new Set<number>();

  async function idOf(deck: Deck): Promise<number> {
    // RETURNING returns only written rows, hence the update that changes nothing.
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
      for (const [at, key] of keys.entries()) if (!ids.has(key)) ids.set(key, await idOf(decks[at] as Deck));
      return keys.map((key) => ids.get(key) as number);
    },
    noteChange: (deckId) => changed.add(deckId),
    recount: () => recount(client, [...changed]),
  };
}
