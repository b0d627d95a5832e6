// What a host chooses a lobby's settings from. Pure.
import type {
  INTERMISSION_MS,
  LOBBY_CAPACITY,
  LOBBY_ROUNDS,
  Lobby,
  LobbySettings,
} from '../lobby/schema.ts';
import type { ScoringName } from '../scoring/registry.ts';

/** The service's own limits; the types hold the two together. */
export const CAPACITY: typeof LOBBY_CAPACITY = { min: 2, max: 200, default: 8 };
export const ROUNDS: typeof LOBBY_ROUNDS = { min: 1, max: 20, default: 3 };
const INTERMISSION: typeof INTERMISSION_MS = { min: 0, max: 300_000 };

/** A result that stays until the host goes on. */
export const UNTIL_HOST_MS = INTERMISSION.max;
/** What lobbies are opened with here. [contract 11] */
export const FIRST_INTERMISSION_MS = 5000;

export const INTERMISSIONS_MS = [0, 3000, FIRST_INTERMISSION_MS, 10_000, UNTIL_HOST_MS];
export const ROUND_TIMES_MS = [5000, 10_000, 15_000, 20_000, 30_000, 60_000];
export const ROUND_COUNTS = [ROUNDS.default, 5, 10, ROUNDS.max];
export const CAPACITIES = [CAPACITY.min, 4, CAPACITY.default, 20, 50, CAPACITY.max];
export const SCORINGS: ScoringName[] = ['accuracy', 'speed', 'streak'];
/** Enough to begin with: the rest is chosen while one waits. */
export const FIRST_SCORINGS: ScoringName[] = ['accuracy', 'speed'];

/** All that a host chooses of a lobby. */
export type Choices = LobbySettings & Pick<Lobby, 'capacity'>;

/** @returns what was chosen and is not what holds yet */
export function notYet(wanted: Partial<Choices>, { settings, capacity }: Lobby): Partial<Choices> {
  const holding = new Map<string, unknown>(Object.entries({ ...settings, capacity }));
  const open = Object.entries(wanted).filter(([field, value]) => holding.get(field) !== value);
  return Object.fromEntries(open);
}

/**
 * @param values what is offered
 * @param current what holds, which may come from another client
 * @param isPossible leaves out what can't be
 * @returns the possible ones and the current one, in their order
 */
export function choicesWith(
  values: readonly number[],
  current: number,
  isPossible: (value: number) => boolean = () => true,
): number[] {
  const possible = values.filter((value) => value !== current && isPossible(value));
  return [...possible, current].toSorted((one, other) => one - other);
}
