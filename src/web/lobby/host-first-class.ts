// Opens a room for a class with built-in words, for somebody who has not chosen any words yet. It is loaded when it is
// needed.
import { ApiError } from '../../client/api-error.ts';
import { client } from '../api.ts';
import type { Locale } from '../i18n/index.tsx';
import { chooseDeck, wordsOfDeck } from '../words/deck-choice.ts';
import { wantedDeck } from '../words/offered-words.ts';
import { openRoom } from './room-choices.ts';

/** @throws ApiError if the service refuses the room, or has no words */
export async function hostFirstClass(locale: Locale): Promise<void> {
  const { decks } = await client.getVocabulary();
  const choices = chooseDeck(decks, wantedDeck(locale));
  if (!choices) throw new ApiError(422, 'NO_MATCHING_TERMS', 'There are no words.');
  await openRoom('class', wordsOfDeck(choices.deck));
}
