// The settings with which a new room begins: those that suit its kind, and what its host has chosen last on this
// device. The words are chosen for each room anew.
import { ApiError } from '../../client/api-error.ts';
import { client } from '../api.ts';
import { navigate } from '../frame/router.ts';
import type { Locale } from '../i18n/index.tsx';
import { load, save } from '../ui/storage.ts';
import { type ChosenWords, chooseDeck, wordsOfDeck } from '../words/deck-choice.ts';
import { wantedDeck } from '../words/offered-words.ts';
import {
  CAPACITY,
  type Choices,
  FIRST_INTERMISSION_MS,
  ROUNDS,
  type RoomKind,
  type Rounds,
  roundsFor,
  UNTIL_HOST_MS,
} from './lobby-choices.ts';

/** What is remembered besides the rounds. */
const FIELDS = [
  'capacity',
  'scoring',
  'answerMode',
  'roundMs',
  'intermissionMs',
  'readMs',
  'lateJoin',
  'names',
] as const satisfies (keyof Choices)[];

type Remembered = Pick<Choices, (typeof FIELDS)[number]> & { rounds: Rounds };

interface Room {
  /** What a host can change. */
  choices: Partial<Remembered> & Pick<Remembered, 'capacity' | 'scoring' | 'rounds'>;
  /** What makes the room one of its kind. */
  fixed: Partial<Pick<Choices, 'hostPlays' | 'compact' | 'waitFor'>>;
}

const ROOMS: Record<RoomKind, Room> = {
  class: {
    choices: {
      capacity: 200,
      rounds: 'all',
      scoring: 'speed',
      roundMs: 20_000,
      lateJoin: true,
      // The question is read before its options appear. [contract 22]
      intermissionMs: UNTIL_HOST_MS,
      readMs: 1500,
      names: 'unique',
    },
    fixed: { hostPlays: false, compact: true, waitFor: 'present' },
  },
  friends: {
    choices: {
      capacity: CAPACITY.default,
      rounds: ROUNDS.default,
      scoring: 'accuracy',
      intermissionMs: FIRST_INTERMISSION_MS,
    },
    fixed: {},
  },
};

const keyOf = (kind: RoomKind) => `room-${kind}`;

/** @returns what a new room of this kind begins with */
export function firstChoices(kind: RoomKind): Room['choices'] {
  return { ...ROOMS[kind].choices, ...load<Partial<Remembered>>('device', keyOf(kind)) };
}

/** Stores what a host has chosen; fields that belong to the room or its words are left out. */
export function rememberChoices(kind: RoomKind, change: object): void {
  const names: readonly string[] = ['rounds', ...FIELDS];
  const kept = Object.entries(change).filter(([field]) => names.includes(field));
  const before = load<Partial<Remembered>>('device', keyOf(kind));
  save('device', keyOf(kind), { ...before, ...Object.fromEntries(kept) });
}

/** Creates a room and opens it. @throws ApiError if the service refuses it */
export async function openRoom(kind: RoomKind, words: ChosenWords): Promise<void> {
  const { capacity, rounds, ...choices } = firstChoices(kind);
  const { code } = await client.createLobby({
    capacity,
    settings: { ...words.selection, ...choices, ...ROOMS[kind].fixed, rounds: roundsFor(rounds, words) },
  });
  navigate(`/lobby/${code}`);
}

/**
 * Opens a room for a class with built-in words, for somebody who has not chosen any words yet. It is loaded when it
 * is needed.
 * @throws ApiError if the service refuses the room, or has no words
 */
export async function hostFirstClass(locale: Locale): Promise<void> {
  const { decks } = await client.getVocabulary();
  const choices = chooseDeck(decks, wantedDeck(locale));
  if (!choices) throw new ApiError(422, 'NO_MATCHING_TERMS', 'There are no words.');
  await openRoom('class', wordsOfDeck(choices));
}
