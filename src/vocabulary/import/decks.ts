// The decks that an import writes to: made when their first term comes, and told in the end how many
// they gained.
import type { Client } from 'pg';
import type { Deck } from '../schema.ts';

/** The decks' ids, and how many terms each of them gains. */
export interface ImportedDecks {
  /** @returns the id of each of `decks`, in their order */
  idsOf(decks: Deck[]): Promise<number[]>;
  /** Notes one new term. */
  countNew(deckId: number): void;
  /** Adds what was noted to the stored counts. */
  addCounts(): Promise<void>;
}

/** @returns what tells two decks apart */
export function deckKey({ sourceLanguage, targetLanguage, pos, difficulty }: Deck): string {
  return [sourceLanguage, targetLanguage, pos, difficulty].join(' ');
}

/** @param client in a transaction, to which everything here belongs */
export function createImportedDecks(client: Client): ImportedDecks {
  const ids = new Map<string, number>();
  const gained = new Map<number, number>();

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
      const keys = decks.map(deckKey);
      for (const [at, key] of keys.entries())
        if (!ids.has(key)) ids.set(key, await idOf(decks[at] as Deck));
      return keys.map((key) => ids.get(key) as number);
    },
    countNew: (deckId) => gained.set(deckId, (gained.get(deckId) ?? 0) + 1),
    async addCounts() {
      await client.query(
        `UPDATE deck SET term_count = term_count + gained.terms
           FROM unnest($1::int[], $2::int[]) AS gained (deck_id, terms)
          WHERE deck.id = gained.deck_id`,
        [[...gained.keys()], [...gained.values()]],
      );
    },
  };
}
