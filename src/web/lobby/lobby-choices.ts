// The values that a host can choose for a lobby's settings. Pure.
import type { INTERMISSION_MS, LOBBY_CAPACITY, LOBBY_ROUNDS, Lobby, LobbySettings } from '../../lobby/schema.ts';
import type { ScoringName } from '../../scoring/scoring.ts';
import type { ChosenWords } from '../words/deck-choice.ts';

/** The service's limits. Their types are literal, so that a difference fails to compile. */
export const CAPACITY: typeof LOBBY_CAPACITY = { min: 2, max: 1000, default: 8 };
export const ROUNDS: typeof LOBBY_ROUNDS = { min: 1, max: 50, default: 3 };
const INTERMISSION: typeof INTERMISSION_MS = { min: 0, max: 300_000 };

/** The longest intermission; the page presents it as one that lasts until the host ends it. */
export const UNTIL_HOST_MS = INTERMISSION.max;
/** The intermission of new lobbies. [contract 11] */
export const FIRST_INTERMISSION_MS = 5000;

export const INTERMISSIONS_MS = [0, 3000, FIRST_INTERMISSION_MS, 10_000, UNTIL_HOST_MS];
export const ROUND_TIMES_MS = [5000, 10_000, 15_000, 20_000, 30_000, 60_000];
export const ROUND_COUNTS = [ROUNDS.default, 5, 10, 20, ROUNDS.max];
export const CAPACITIES = [4, CAPACITY.default, 30, 50, 200];
export const SCORINGS: ScoringName[] = ['accuracy', 'speed', 'streak'];
/** The form for a new lobby offers fewer; the host can choose the others in the waiting room. */
export const FIRST_SCORINGS: ScoringName[] = ['accuracy', 'speed'];

export const NAMES: LobbySettings['names'][] = ['any', 'unique', 'given'];

/** The settings that a host can change while the lobby waits. */
export type Choices = LobbySettings & Pick<Lobby, 'capacity'>;

/** @returns the chosen settings that the lobby does not have yet */
export function unconfirmedChoices(wanted: Partial<Choices>, { settings, capacity }: Lobby): Partial<Choices> {
  const holding = new Map<string, unknown>(Object.entries({ ...settings, capacity }));
  // A field that is off may be absent.
  const open = Object.entries(wanted).filter(([field, value]) => (holding.get(field) || null) !== (value || null));
  return Object.fromEntries(open);
}

/**
 * @param current the lobby's value, which another client may have set
 * @returns the values and the current one, in ascending order
 */
export function choicesWith(values: readonly number[], current: number): number[] {
  return [...new Set([...values, current])].sort((one, other) => one - other);
}

/** A room for a class has a host who presents, and is compact, so that two hundred phones get short messages. */
export type RoomKind = 'class' | 'friends';

export function kindOf({ compact }: Pick<Choices, 'compact'>): RoomKind {
  return compact ? 'class' : 'friends';
}

/** The wanted number of rounds; `all` asks every word of a list. */
export type Rounds = number | 'all';

/** The rounds of a deck, and of a list that has more words than a game has rounds. */
const USUAL_ROUNDS = 10;

/** @returns the number of rounds of a game with these words, at most one for each question */
export function roundsFor(rounds: Rounds, { questions, selection }: ChosenWords): number {
  if (rounds !== 'all') return Math.min(rounds, questions);
  const isWhole = 'listId' in selection && questions <= ROUNDS.max;
  return isWhole ? questions : Math.min(USUAL_ROUNDS, questions);
}
