// Creates running games directly in the stores, since joining so many would take too long.
import { randomUUID } from 'node:crypto';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import type { PreparedMatch } from '../../src/match/prepared-match.ts';
import { openMatch } from '../../src/match/start-match.ts';
import { drawQuestions } from '../../src/vocabulary/draw-questions.ts';
import { removeClocks } from '../support/clocks.ts';
import { createSignedInUser } from '../support/users.ts';
import { inParallel } from './batches.ts';
import type { Stage } from './stage.ts';

/** The number of lobbies that one statement inserts. */
const INSERTED_AT_ONCE = 1000;

const SETTINGS = { ...LOBBY_EXAMPLE.settings, rounds: 2, sourceLanguage: 'en', targetLanguage: 'it' } as const;

/**
 * Starts games of the same players, each with its clock.
 * @param dueMs the deadline of the first round of each, by the Redis server's clock
 */
export async function openGames(stage: Stage, dueMs: readonly number[], players = 1): Promise<PreparedMatch[]> {
  const { services } = stage;
  const users = await inParallel(Array(players), () => createSignedInUser(services));
  const playerIds = users.map(({ id }) => id);
  const games: PreparedMatch[] = [];
  while (games.length < dueMs.length) {
    const count = Math.min(INSERTED_AT_ONCE, dueMs.length - games.length);
    games.push(...(await insertLobbies(stage, games.length, count, playerIds)));
  }
  await inParallel(games, async (game, index) => {
    const durationMs = Math.round((dueMs[index] as number) - services.nowMs());
    await services.clock.schedule({ ...game, durationMs });
    await openMatch(services, { ...game, durationMs });
  });
  return games;
}

/** Removes all lobbies, and the clocks of their games. */
export async function removeGames({ services }: Stage): Promise<void> {
  await services.db.lobby.deleteMany();
  await removeClocks(services);
}

/**
 * Inserts running lobbies whose games are not open yet.
 * @param first the number of the first lobby, which is part of its code
 */
async function insertLobbies(
  { services }: Stage,
  first: number,
  count: number,
  playerIds: string[],
): Promise<PreparedMatch[]> {
  const [hostId = ''] = playerIds;
  const questions = await drawQuestions(
    { ...services, random: (bound) => Math.floor(Math.random() * bound) },
    SETTINGS,
    SETTINGS.rounds,
  );
  const games = Array.from({ length: count }, (_, index) => ({
    lobbyId: randomUUID(),
    gameId: randomUUID(),
    code: `B${String(first + index).padStart(5, '0')}`,
    settings: SETTINGS,
    isCompact: false,
    durationMs: 0,
    questions,
    playerIds,
  }));
  await services.db.lobby.createMany({
    data: games.map(({ lobbyId, gameId, code }) => ({
      id: lobbyId,
      gameId,
      code,
      status: 'running',
      hostId,
      capacity: 50,
      playerCount: playerIds.length,
      settings: SETTINGS,
    })),
  });
  const seats = games.flatMap(({ lobbyId }) => playerIds.map((userId) => ({ lobbyId, userId })));
  await services.db.lobbyPlayer.createMany({ data: seats });
  return games;
}
