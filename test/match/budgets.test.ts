// A game takes a limited number of bytes of each store, however long its words are. [contract 17]
import { expect, it } from 'vitest';
import { endAsHost } from '../../src/match/end-phase.ts';
import type { GameResult } from '../../src/match/schema.ts';
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { useArenaBehindProxy } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lobbyIdOf, questionIdOf, resultOf } from '../support/game.ts';
import { storeList } from '../support/lists.ts';
import { gather } from '../support/player.ts';
import { seeded } from '../support/terms.ts';

const KIB = 1024;
const ROUNDS = 50;
/** A game of two players. */
const GAME_BYTES = 256 * KIB + 2 * KIB;

// Nothing but the replica may empty the clock of an open game.
const { arena, postgres } = useArenaBehindProxy({ replicas: 1, workers: 0 });

const random = seeded(20_261_126);
/** @returns random letters of four bytes each, which no store can compress */
const letters = (count: number) =>
  Array.from({ length: count }, () => String.fromCodePoint(0x20000 + random(40_000))).join('');

/** A list of prompts of the greatest length, each with as many translations of this length. */
function longestTerms(translations: number, length: number): ListTerm[] {
  return Array.from({ length: ROUNDS }, () => {
    const [sourceText, sourceGloss] = [letters(120), letters(200)];
    const targetTexts = Array.from({ length: translations }, () => letters(length));
    return targetTexts.map((targetText) => ({ sourceText, sourceGloss, targetText }));
  }).flat();
}

/** @returns the bytes of Redis that a lobby with its game and its clock takes, besides the log */
async function redisBytes(lobbyId: string, gameId: string): Promise<number> {
  const { redis } = arena.services;
  const keys = (await redis.keys('*')).filter(
    (key) => (key.includes(lobbyId) && !key.endsWith(':log')) || key.endsWith(`:${gameId}`),
  );
  const sizes = await Promise.all(
    keys.map(async (key) => Number(await redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** @returns the bytes of the game's row as PostgreSQL has compressed it */
async function postgresBytes(gameId: string): Promise<number> {
  const [row] = await arena.services.db.$queryRaw<[{ bytes: number }]>`
    SELECT pg_column_size(game.*) AS bytes FROM game WHERE id = ${gameId}::uuid`;
  return row.bytes;
}

it.each([
  ['the longest words', 'choice', longestTerms(1, 120)],
  ['many translations', 'typed', longestTerms(30, 7)],
] as const)(
  'a game of %s, %s, takes at most 256 KiB of each store, of Redis also while PostgreSQL is away',
  async (words, answerMode, terms) => {
    const players = await arena.players('Ada', 'Ben');
    const [host] = players;
    const { listId } = await storeList(host.http, { terms });
    await gather(players, { settings: { listId, rounds: ROUNDS, answerMode, roundMs: 300_000 } });
    host.send({ type: 'lobby:start' });
    const { gameId } = await host.next('game:question');
    const inRedis = () => redisBytes(lobbyIdOf(host), gameId);
    const bytes = [await inRedis()];
    // A socket may not send as many messages at once.
    for (let round = 1; round < ROUNDS; round++)
      await endAsHost(arena.services, lobbyIdOf(host), host.user.id, { type: 'game:next', round, phase: 'round' });
    bytes.push(await inRedis());
    await postgres.block();
    const questionId = await questionIdOf(host, ROUNDS);
    const given = answerMode === 'typed' ? { text: 'none' } : { optionId: 0 };
    for (const player of players) player.send({ type: 'game:answer', questionId, ...given });
    await resultOf(host, ROUNDS);
    bytes.push(await inRedis());
    await postgres.unblock();
    await host.next('game:finished');
    // What is stored needn't wait in Redis any longer.
    await eventually(async () => expect(await inRedis()).toBeLessThan(16 * KIB));
    bytes.push(await postgresBytes(gameId));
    if (process.env.FIGURES) console.log(words, answerMode, bytes);
    expect(Math.max(...bytes)).toBeLessThan(GAME_BYTES);
    const stored: GameResult = (await host.http.get(`/api/v1/games/${gameId}`)).body;
    const { question } = await host.next('game:question', ({ round }) => round === ROUNDS);
    expect(stored.rounds).toHaveLength(ROUNDS);
    expect(stored.rounds.at(-1)).toMatchObject(question);
  },
);
