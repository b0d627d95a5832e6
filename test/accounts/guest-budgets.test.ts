// What guests of one client address make Redis hold is bounded by the address, however many there are. [contract 17]
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { liveKey, newQuizId, quizKey } from '../../src/singleplayer/keys.ts';
import { saveQuiz } from '../../src/singleplayer/store.ts';
import { useGuests } from '../support/guests.ts';
import { createHttpClient, type HttpClient } from '../support/http-client.ts';
import { gather, playerOf } from '../support/player.ts';
import { connectToRedis } from '../support/stores.ts';

const MIB = 1024 * 1024;
const guests = useGuests({ RATE_LIMIT_GUEST_MAX: '1000' });
/** The connections of two replicas, whose commands wait as long as a busy machine takes. */
let connections: RedisClient[];
const redisOf = (replica: number) => connections[replica] as RedisClient;
beforeAll(() => {
  const connect = () => connectToRedis(guests.arena.stores, 'jobs');
  connections = [connect(), connect()];
});
afterAll(() => {
  for (const connection of connections) connection.disconnect();
});

/** Stores a quiz of about so many KiB. @returns its id */
async function store(userId: string, address: string, kib: number, replica = 0): Promise<string> {
  const sessionId = newQuizId(userId);
  const words = 'x'.repeat(kib * 1024);
  const quiz = { sessionId, userId, words, language: 'it', secret: '', questions: [] };
  await saveQuiz(redisOf(replica), quiz, 3600, address);
  return sessionId;
}

async function guestFrom(address: string): Promise<{ client: HttpClient; id: string }> {
  const client = createHttpClient(guests.url());
  const { body } = await client.post('/api/v1/guests', { name: 'Ada' }, { 'x-forwarded-for': address });
  return { client, id: body.user.id };
}

const counted = (network: string) => redisOf(0).hgetall(`{quizzes:${network}}:account`);

describe('[contract 17] the live quizzes of the guests of one address', () => {
  it('take at most 32 MiB of Redis, whoever starts them on two replicas, and a class among them keeps its own', async () => {
    const address = '2001:db8:0:1::';
    const kept: string[] = [];
    for (let pupil = 0; pupil < 30; pupil++) kept.push(await store(randomUUID(), `${address}1`, 12));
    const strangers = Array.from({ length: 40 }, () => randomUUID());
    const stored: { userId: string; sessionId: string }[] = [];
    // Four at once, a quiz of each stranger by turns.
    const turns = Array.from({ length: 20 * strangers.length }, (_, turn) => turn).entries();
    const startInTurn = async () => {
      for (const [turn] of turns) {
        const userId = strangers[turn % strangers.length] as string;
        const sessionId = await store(userId, `${address}${turn}`, 60, turn % 2);
        stored.push({ userId, sessionId });
      }
    };
    await Promise.all(Array.from({ length: 4 }, startInTurn));
    const redis = redisOf(0);
    const isLive = (sessionId: string) => redis.exists(quizKey(sessionId));
    for (const sessionId of kept) expect(await isLive(sessionId)).toBe(1);
    const sizeOf = (sessionId: string) => redis.call('MEMORY', 'USAGE', quizKey(sessionId), 'SAMPLES', 0);
    const sizes = await Promise.all([...kept, ...stored.map(({ sessionId }) => sessionId)].map(sizeOf));
    const bytes = sizes.reduce<number>((sum, size) => sum + Number(size), 0);
    expect(bytes).toBeLessThanOrEqual(32 * MIB);
    expect(bytes).toBeGreaterThan(25 * MIB);
    // The strangers keep their newest ones, of which each has about as many as the others.
    for (const userId of strangers) {
      const own = stored.filter((quiz) => quiz.userId === userId);
      const live = await Promise.all(own.map(({ sessionId }) => isLive(sessionId)));
      const lives = live.filter((each) => each === 1).length;
      expect(lives).toBeGreaterThanOrEqual(9);
      expect(live).toEqual(live.toSorted());
      expect(await redis.llen(liveKey(own[0]?.sessionId ?? '', userId))).toBe(lives);
    }
  });

  it('count by the address at the guest’s creation, and no longer when they are finished', async () => {
    const { client, id } = await guestFrom('198.51.100.7');
    const later = { 'x-forwarded-for': '198.51.100.8' };
    const { body } = await client.post('/api/v1/game/start', { questionCount: 2 }, later);
    const { sessionId, questions } = body;
    const [, holder] = (await counted('198.51.100.7'))[sessionId]?.split(' ') ?? [];
    expect(holder).toBe(id);
    for (const { questionId } of questions) {
      const answer = { sessionId, questionId, optionId: 0 };
      expect((await client.post('/api/v1/game/answer', answer)).status).toBe(200);
    }
    expect(await counted('198.51.100.7')).toEqual({ '': '0' });
  });

  it('count for nobody where the user has an account', async () => {
    const user = await guests.account();
    const client = createHttpClient(guests.url(), { cookie: user.cookie });
    expect((await client.post('/api/v1/game/start', { questionCount: 1 })).status).toBe(201);
    expect(await counted('127.0.0.1')).toEqual({});
  });
});

it('[contract 17] the log of a lobby counts for its creator and the creator’s address, whoever is host', async () => {
  const address = '198.51.100.9';
  const { client, id } = await guestFrom(address);
  const host = playerOf({ id, name: 'Ada', email: '', cookie: client.cookie() }, guests.url());
  const other = await guests.guest('Ben');
  await Promise.all([host.connect(), other.connect()]);
  const code = await gather([host, other]);
  const { lobbyId } = (await host.http.get(`/api/v1/lobbies/${code}`)).body;
  const [lobby] = lobbyKeys(lobbyId);
  const redis = redisOf(0);
  const { creatorId, networks = '', logBytes } = await redis.hgetall(lobby);
  expect([creatorId, JSON.parse(networks)]).toEqual([id, [{ key: '127.0.0.1', times: 1 }]]);
  const account = await redis.hgetall('{logs:127.0.0.1}:account');
  expect(account[lobbyId]?.split(' ')[1]).toBe(id);
  expect(Number(account[lobbyId]?.split(' ')[0])).toBeLessThanOrEqual(Number(logBytes));
  expect(await redis.pttl(lobby)).toBeGreaterThan(0);
});
