// Users download all that is stored of them. [contract 22]
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { learn } from '../../worker/learn.ts';
import { EXPORT, exportOf } from '../support/exports.ts';
import { storeList } from '../support/lists.ts';
import { createLearner } from '../support/quizzes.ts';
import { useService } from '../support/service.ts';
import { createPerson, signIn } from '../support/users.ts';

const MAX = 5;
const { service } = useService({ GUESTS: 'true', RATE_LIMIT_EXPORT_MAX: `${MAX}` }, { hasWords: true });
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
    const { status, headers, body } = await client.get(EXPORT);
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
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
