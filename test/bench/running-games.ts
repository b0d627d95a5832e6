// Games that run, made straight in the stores: as many as nobody would like to join.
import { randomUUID } from 'node:crypto';
import type { LobbySettings } from '../../src/lobby/schema.ts';
import type { MatchPlan } from '../../src/match/plan.ts';
import { openMatch } from '../../src/match/start-match.ts';
import { drawQuestions } from '../../src/vocabulary/draw-questions.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { createSignedInUser } from '../support/users.ts';
import type { Stage } from './stage.ts';

const AT_ONCE = 25;
/** Lobbies a statement. */
const INSERTED_AT_ONCE = 1000;

const SETTINGS = {
  ...{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1' },
  ...{ rounds: 2, scoring: 'accuracy' },
  ...{ roundMs: 15_000, intermissionMs: 0, hostPlays: true, lateJoin: false },
} satisfies LobbySettings & Deck;

/**
 * Starts games of one player, each with its clock.
 * @param dueMs when the first round of each is to end, by the Redis server's clock
 */
export async function openGames(stage: Stage, dueMs: readonly number[]): Promise<MatchPlan[]> {
  const { services } = stage;
  const plans: MatchPlan[] = [];
  while (plans.length < dueMs.length) {
    const count = Math.min(INSERTED_AT_ONCE, dueMs.length - plans.length);
    plans.push(...(await insertLobbies(stage, plans.length, count)));
  }
  await inParallel(plans, async (plan, index) => {
    const durationMs = Math.round((dueMs[index] as number) - services.nowMs());
    await services.clock.wind({ ...plan, durationMs });
    await openMatch(services, { ...plan, durationMs });
  });
  return plans;
}

/** Running lobbies whose games are still to be opened. @param first the number of the first one, for its code */
async function insertLobbies(
  { services }: Stage,
  first: number,
  count: number,
): Promise<MatchPlan[]> {
  const { id: userId, name } = await createSignedInUser(services);
  const questions = await drawQuestions(
    { ...services, random: (bound) => Math.floor(Math.random() * bound) },
    SETTINGS,
    SETTINGS.rounds,
  );
  const plans = Array.from({ length: count }, (_, index) => ({
    ...{ lobbyId: randomUUID(), gameId: randomUUID() },
    code: `B${String(first + index).padStart(5, '0')}`,
    ...{ settings: SETTINGS, durationMs: 0, questions, players: [{ userId, name }] },
  }));
  await services.db.lobby.createMany({
    data: plans.map(({ lobbyId, gameId, code }) => ({
      ...{ id: lobbyId, gameId, code, status: 'running', hostId: userId },
      ...{ capacity: 8, playerCount: 1, settings: SETTINGS },
    })),
  });
  await services.db.lobbyPlayer.createMany({
    data: plans.map(({ lobbyId }) => ({ lobbyId, userId })),
  });
  return plans;
}

/** Runs some at a time. */
export async function inParallel<T>(
  items: readonly T[],
  run: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const entries = items.entries();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const [index, item] of entries) await run(item, index);
    }),
  );
}
