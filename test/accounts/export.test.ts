// Users download all that is stored of them, or nothing if PostgreSQL fails meanwhile. [contract 13, 19, 22]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { learn } from '../../worker/learn.ts';
import { EXPORT, exportOf, roundOf, storeGame } from '../support/exports.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { storeList } from '../support/lists.ts';
import { createLearner } from '../support/quizzes.ts';
import { SHORT_OUTAGES, startService, useService } from '../support/service.ts';
import { withPostgres } from '../support/sql.ts';
import { createPerson, signIn } from '../support/users.ts';

const MAX = 5;
const { service, stores } = useService({ GUESTS: 'true', RATE_LIMIT_EXPORT_MAX: `${MAX}` }, { hasWords: true });
const services = () => service.services;

const newUser = (name = 'Ada') => createPerson(service, { name });

describe('GET /api/v1/account/export', () => {
  it('is a JSON attachment that nobody caches', async () => {
    const { client } = await newUser();
    const { status, headers } = await client.get(EXPORT);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="[\w-]+\.json"$/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-length')).toBeNull();
  });

  it('is 429 after RATE_LIMIT_EXPORT_MAX exports of a user in a window, and no other limiter counts it', async () => {
    const { user, client } = await newUser();
    const other = await newUser();
    for (let count = 0; count < MAX; count++) expect((await client.get(EXPORT)).status).toBe(200);
    const { status, body } = await client.get(EXPORT);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect((await other.client.get(EXPORT)).status).toBe(200);
    expect((await client.get('/api/v1/progress')).headers.get('ratelimit-remaining')).toBe(
      `${service.config.rateLimits.game - 1}`,
    );
    expect(await services().redis.get(`limit:lobby:${user.id}`)).toBeNull();
  });

  it('has empty arrays for a new user, and the account and the sessions', async () => {
    const { user, client } = await newUser();
    await signIn(services(), user.id);
    const { account, sessions, ...others } = await exportOf(client);
    expect(account).toMatchObject({
      userId: user.id,
      name: 'Ada',
      email: user.email,
      emailVerified: true,
      image: null,
      isGuest: false,
      twoFactorEnabled: false,
      signInMethods: [],
      passkeys: [],
      trustedDevices: [],
      formerGuests: [],
      lobbies: [],
      removedFrom: [],
      reviewCounts: [],
    });
    expect(sessions.map(({ isCurrent }) => isCurrent).toSorted()).toEqual([false, true]);
    expect(others).toEqual({ lists: [], games: [], learnedWords: [], assignments: [], attempts: [] });
  });

  it('has nothing of a user whose address another one has confirmed, nor of any other user', async () => {
    const { user, client } = await newUser();
    const other = await newUser('Somebody else');
    await storeList(other.client, { name: 'The other one’s list' });
    await services().db.signUp.create({
      data: { userId: user.id, name: 'A stranger', password: 'hash', browserHash: 'hash' },
    });
    const text = JSON.stringify(await exportOf(client));
    for (const foreign of [other.user.id, 'Somebody else', 'The other one', 'A stranger'])
      expect(text).not.toContain(foreign);
  });
});

it('lobbies in an export are those that the user is a member of, hosts or presents, and those that removed the user', async () => {
  const { user, client } = await newUser();
  const other = await newUser();
  const own = await client.post('/api/v1/lobbies', { settings: { hostPlays: false } });
  const joined = await other.client.post('/api/v1/lobbies', {});
  await client.post(`/api/v1/lobbies/${joined.body.code}/join`, {});
  const left = await other.client.post('/api/v1/lobbies', {});
  await services().db.lobby.update({ where: { id: left.body.lobbyId }, data: { kickedIds: [randomUUID(), user.id] } });
  await services().db.lobby.update({ where: { id: own.body.lobbyId }, data: { presenterId: user.id } });
  const { lobbies, removedFrom } = (await exportOf(client)).account;
  const { lobbyId, code, settings, createdAt } = own.body;
  expect(lobbies.find((lobby) => lobby.isHost)).toEqual({
    lobbyId,
    code,
    settings,
    createdAt,
    status: 'waiting',
    gameId: null,
    isHost: true,
    isPresenter: true,
    name: null,
  });
  expect(lobbies.filter((lobby) => !lobby.isHost)).toMatchObject([
    { lobbyId: joined.body.lobbyId, isPresenter: false },
  ]);
  expect(removedFrom).toEqual([{ lobbyId: left.body.lobbyId, code: left.body.code }]);
});

it('lists in an export have their words, as GET /api/v1/lists/:listId has them', async () => {
  const { client } = await newUser();
  const terms = ['Ä', 'B "quoted"', 'C', 'D'].map((sourceText) => ({
    sourceText,
    targetText: `x ${sourceText}`,
    sourceGloss: 'a gloss',
  }));
  const first = await storeList(client, { name: 'One', terms });
  const second = await storeList(client, { name: 'Two', shared: true });
  const single = async (listId: string) => (await client.get(`/api/v1/lists/${listId}`)).body;
  expect((await exportOf(client)).lists).toEqual([await single(second.listId), await single(first.listId)]);
});

describe('learned words in an export', () => {
  it('have the texts that their list has, and none once it has lost the word', async () => {
    const { client, play } = await createLearner(service);
    const { listId } = await storeList(client, { name: 'Mine' });
    const { questions } = await play(['right', 'right'], { listId, questionCount: 2 });
    await learn(services());
    const prompts = questions.map(({ prompt }) => prompt).toSorted();
    const before = (await exportOf(client)).learnedWords;
    expect(before.map(({ prompt }) => prompt).toSorted()).toEqual(prompts);
    expect(before[0]).toMatchObject({ listId, listName: 'Mine', memory: { reps: 1 } });

    const terms = ['A', 'B', 'C', 'D', prompts[0]].map((sourceText) => ({ sourceText, targetText: `x ${sourceText}` }));
    const body = { name: 'Mine', sourceLanguage: 'de', targetLanguage: 'fi', terms };
    expect((await client.put(`/api/v1/lists/${listId}`, body)).status).toBe(200);
    const after = (await exportOf(client)).learnedWords;
    expect(after.map((word) => word.prompt)).toEqual(expect.arrayContaining([prompts[0], undefined]));
    expect(after).toHaveLength(2);
  });

  it('of somebody’s list have no text where the user may not read the list', async () => {
    const owner = await newUser();
    const { listId } = await storeList(owner.client, { name: 'Theirs', shared: true });
    const { client, play } = await createLearner(service);
    await play(['right'], { listId, questionCount: 2 });
    await learn(services());
    expect((await exportOf(client)).learnedWords).toMatchObject([
      { listId, listName: 'Theirs', prompt: expect.any(String) },
    ]);
    await services().db.wordList.update({ where: { id: listId }, data: { shared: false } });
    const [word, ...rest] = (await exportOf(client)).learnedWords;
    expect(rest).toEqual([]);
    expect(Object.keys(word ?? {}).toSorted()).toEqual(['listId', 'memory']);
  });
});

it('an export has nothing of a quiz that can still be answered', async () => {
  const { client, start, answer } = await createLearner(service);
  const session = await start();
  await answer(session, 0, 'right');
  const text = JSON.stringify(await exportOf(client));
  expect(text).not.toContain(session.sessionId);
  for (const { questionId, commitment } of session.questions) {
    expect(text).not.toContain(questionId);
    expect(text).not.toContain(commitment);
  }
});

type StoredGame = Parameters<typeof storeGame>[2] & { playerIds: string[]; day?: number };

/** Stores a finished game of one round, which everybody has answered. @returns its id */
async function store({ playerIds, day = 1, ...game }: StoredGame): Promise<string> {
  const at = new Date(Date.UTC(2026, 10, day));
  const round = roundOf({ judgedAt: at.toISOString(), answers: playerIds.map(() => [0, 1, 5]) });
  const players = playerIds.map((id) => ({ id }));
  const result = { winnerIds: playerIds, rounds: [round] };
  return storeGame(services().db, players, { at, ...result, ...game });
}

describe('games in an export', () => {
  it('are those that the user played, presented or hosted at the end, each once, newest first', async () => {
    const { user, client } = await newUser();
    const other = randomUUID();
    const played = await store({ playerIds: [user.id, other], day: 1, hostId: user.id });
    const presented = await store({ playerIds: [other], day: 3, presenterId: user.id });
    const hosted = await store({ playerIds: [other], day: 2, hostId: user.id });
    await store({ playerIds: [other], day: 4, hostId: other });
    const ids = (await exportOf(client)).games.map(({ gameId }) => gameId);
    expect(ids).toEqual([presented, hosted, played]);
    const listed = (await client.get('/api/v1/games')).body.games;
    expect(listed.map(({ gameId }: { gameId: string }) => gameId)).toEqual(ids);
  });

  it('have exactly what GET /api/v1/games/:gameId shows the user, of a compact game too', async () => {
    const { user, client } = await newUser();
    const crowd = Array.from({ length: 15 }, () => randomUUID());
    const others = { compact: true, hostId: crowd[0] ?? '' };
    const ids = [
      await store({ playerIds: crowd, ...others, presenterId: user.id, day: 4 }),
      await store({ playerIds: [...crowd, user.id], ...others, day: 3 }),
      await store({ playerIds: [...crowd, user.id], compact: true, hostId: user.id, day: 2 }),
      await store({ playerIds: [...crowd, user.id], day: 1 }),
    ];
    const { games } = await exportOf(client);
    const singles: unknown[] = [];
    for (const id of ids) singles.push((await client.get(`/api/v1/games/${id}`)).body);
    expect(games).toEqual(singles);
    expect(games.map(({ scores }) => scores.length)).toEqual([10, 11, 16, 16]);
    expect(games.map(({ rounds }) => rounds[0]?.answers.length)).toEqual([0, 1, 16, 16]);
    const own = games[1]?.rounds[0]?.answers;
    expect(own).toEqual([{ userId: user.id, selectedOptionId: 0, isCorrect: true, points: 1, elapsedMs: 5 }]);
  });

  it('are all there if they are more than one page, also of the same moment', async () => {
    const { user, client } = await newUser();
    const ids: string[] = [];
    for (let count = 0; count < 430; count++) ids.push(await store({ playerIds: [user.id] }));
    const { games } = await exportOf(client);
    expect(games.map(({ gameId }) => gameId)).toEqual(ids.toSorted().toReversed());
  });
});

describe('if PostgreSQL does not answer', () => {
  const hasty = forAllTests(() => startService(stores, SHORT_OUTAGES));

  /** Locks a table while `work` runs, so that each statement that reads it fails after its timeout. */
  const whileLocked = (table: string, work: () => Promise<void>) =>
    withPostgres(stores.databaseUrl, async (client) => {
      await client.query(`BEGIN; LOCK TABLE ${table}`);
      await work();
    });

  it('an export that has not begun is 503, and no attachment', async () => {
    const { client } = await createPerson(hasty);
    await whileLocked('"user"', async () => {
      const { status, headers, body } = await client.get(EXPORT);
      expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
      expect(headers.get('content-disposition')).toBeNull();
    });
  });

  it('an export that has begun is cut, so that its client does not take a part for the whole', async () => {
    const { user, client } = await createPerson(hasty);
    await store({ playerIds: [user.id] });
    await whileLocked('learned_word', async () => {
      const answer = await fetch(hasty.url + EXPORT, { headers: { cookie: client.cookie() } });
      expect(answer.status).toBe(200);
      const chunks: Uint8Array[] = [];
      const reading = (async () => {
        for await (const chunk of answer.body ?? []) chunks.push(chunk);
      })();
      await expect(reading).rejects.toThrow('terminated');
      const text = Buffer.concat(chunks).toString();
      expect(text).toContain('"games":[{');
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    });
    expect((await exportOf(client)).games).toHaveLength(1);
  });
});
