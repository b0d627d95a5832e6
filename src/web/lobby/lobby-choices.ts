// The values that a host can choose for a lobby's settings. Pure.
import type {
  INTERMISSION_MS,
  LOBBY_CAPACITY,
  LOBBY_ROUNDS,
  Lobby,
  LobbySettings,
} from '../../lobby/schema.ts';
import type { ScoringName } from '../../scoring/registry.ts';

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
export const CAPACITIES = [CAPACITY.min, 4, CAPACITY.default, 20, 50, CAPACITY.max];
export const SCORINGS: ScoringName[] = ['accuracy', 'speed', 'streak'];
/** The form for a new lobby offers fewer; the host can choose the others in the waiting room. */
export const FIRST_SCORINGS: ScoringName[] = ['accuracy', 'speed'];

/** The settings that a host can change while the lobby waits. */
export type Choices = LobbySettings & Pick<Lobby, 'capacity'>;

/** @returns the chosen settings that the lobby does not have yet */
export function unconfirmedChoices(
  wanted: Partial<Choices>,
  { settings, capacity }: Lobby,
): Partial<Choices> {
  const holding = new Map<string, unknown>(Object.entries({ ...settings, capacity }));
  const open = Object.entries(wanted).filter(([field, value]) => holding.get(field) !== value);
  return Object.fromEntries(open);
}

/**
 * @param current the lobby's value, which another client may have set
 * @param isPossible whether a value may be offered
 * @returns the possible values and the current one, in ascending order
 */
export function choicesWith(
  values: readonly number[],
  current: number,
  isPossible: (value: number) => boolean = () => true,
): number[] {
  const possible = values.filter((value) => value !== current && isPossible(value));
  return [...possible, current].toSorted((one, other) => one - other);
}
