// The worker learns each answer of the stored games once, whatever other workers do and whichever accounts
// are deleted or handed over meanwhile. [contract 11, 13]
import { randomUUID } from 'node:crypto';
import { test as base, expect } from 'vitest';
import { deleteAccount } from '../../src/accounts/delete-account.ts';
import { handOver } from '../../src/accounts/hand-over.ts';
import type { Verdict } from '../../src/judging/verdict.ts';
import { takeGames } from '../../src/learning/learn-games.ts';
import { GuestHandedOverError, learnBatch, MAX_REVIEWS } from '../../src/learning/learner.ts';
import type { LearnableRound } from '../../src/learning/stored-answers.ts';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import type { Database } from '../../src/platform/postgres/postgres.ts';
import { learn } from '../../worker/learn.ts';
import { storeGame } from '../support/exports.ts';
import { useService } from '../support/service.ts';
import { withTrigger } from '../support/sql.ts';
import { createSignedInUser } from '../support/users.ts';

const { service } = useService({}, { hasWords: true });

const db = () => service.services.db;
const newUser = () => createSignedInUser(service.services);
const test = base.extend('ada', newUser).extend('ben', newUser);
const JUDGED_AT = '2026-11-20T10:07:00.000Z';
const laterBy = (minutes: number) => new Date(Date.parse(JUDGED_AT) + minutes * 60_000);

/** The answers of a round by user: whether the chosen option is right, the verdict on a text, or null for none. */
type Answers = Record<string, boolean | Verdict | null>;

/** @returns a round with these answers, as it is stored of players by seat */
const roundOf =
  (answers: Answers, { prompt = 'house', departed = {} as Answers } = {}) =>
  (userIds: readonly string[]): LearnableRound => {
    const givenOf = (answer: Answers[string]) => (typeof answer === 'boolean' ? (answer ? 2 : 1) : answer);
    return {
      prompt,
      gloss: 'a building',
      correctOptionId: 2,
      judgedAt: JUDGED_AT,
      answers: userIds.map((id) => (id in answers ? [givenOf(answers[id] ?? null), 0, 5] : null)),
      departedAnswers: Object.entries(departed).map(([id, answer]) => [userIds.indexOf(id), givenOf(answer)]),
    };
  };

/** @param userIds the players by seat. @returns the id of a finished game that is not learned */
function store(userIds: readonly string[], rounds: ((userIds: readonly string[]) => object)[]): Promise<string> {
  const settings = { ...LOBBY_EXAMPLE.settings, rounds: rounds.length };
  const standings = userIds.toReversed().map((id) => ({ id }));
  return storeGame(db(), standings, { settings, rounds: rounds.map((recordOf) => recordOf(userIds)) });
}

/** Learns all games as the worker does. */
async function learnAll(by: Database = db()): Promise<void> {
  while ((await learnBatch(by, takeGames)).taken > 0);
}

/** Learns all games, and starts again if a guest is handed over meanwhile. */
async function learnAllWithRetries(): Promise<void> {
  await learnAll().catch((error: unknown) => {
    if (!(error instanceof GuestHandedOverError)) throw error;
    return learnAllWithRetries();
  });
}

const learnedWordsOf = (userId: string) => db().learnedWord.findMany({ where: { userId } });
const repsOf = async (userId: string) => (await learnedWordsOf(userId)).map(({ reps }) => reps);

async function countOf(userId: string): Promise<number> {
  const { _sum } = await db().reviewCount.aggregate({ where: { userId }, _sum: { reviews: true } });
  return _sum.reviews ?? 0;
}

test('each answer is one review at the time of its judgement, and a missing answer is none', async ({ ada, ben }) => {
  const [cy, dan] = [await newUser(), await newUser()];
  const answers = { [ada.id]: true, [cy.id]: null, [dan.id]: 'close' } as const;
  await store([ada.id, ben.id, cy.id, dan.id], [roundOf(answers, { departed: { [ben.id]: false } })]);
  await learnAll();
  for (const [{ id }, minutes] of [
    [ada, 10],
    [ben, 1],
    [dan, 6],
  ] as const) {
    const times = { reviewedAt: new Date(JUDGED_AT), due: laterBy(minutes) };
    expect(await learnedWordsOf(id)).toEqual([expect.objectContaining(times)]);
  }
  expect(await learnedWordsOf(cy.id)).toEqual([]);
  expect(await countOf(cy.id)).toBe(0);
});

/** One transaction learns fewer games than these. */
const GAMES = 40;

test('a game is learned once, however many workers learn at the same time', async () => {
  const ids = (await Promise.all(Array.from({ length: 4 }, newUser))).map(({ id }) => id);
  for (let game = 0; game < GAMES; game++) {
    // The workers update the same users and words, in different orders.
    const order = game % 2 === 0 ? ids : ids.toReversed();
    const answers = Object.fromEntries(order.map((id) => [id, true]));
    const prompts = game % 2 === 0 ? ['a', 'b', 'c'] : ['c', 'b', 'a'];
    const rounds = prompts.map((prompt) => roundOf(answers, { prompt }));
    await store(order, rounds);
  }
  await Promise.all(Array.from({ length: 4 }, () => learnAll()));
  await learnAll();
  for (const id of ids) {
    expect(await repsOf(id)).toEqual([GAMES, GAMES, GAMES]);
    expect(await countOf(id)).toBe(3 * GAMES);
  }
});

test('after a transaction the worker rests, but not when a game has waited for half of its ten seconds', async () => {
  const ada = await newUser();
  const storeMany = async (finishedAt: Date) => {
    const ids = [];
    for (let game = 0; game < GAMES; game++) ids.push(await store([ada.id], [roundOf({ [ada.id]: true })]));
    await db().game.updateMany({ where: { id: { in: ids } }, data: { finishedAt } });
  };
  /** How many games are left at each rest. */
  const left: number[] = [];
  const rest = async () => left.push(await db().game.count({ where: { learned: false } }));
  await storeMany(new Date(Date.now() - 6000));
  await learn(service.services, { rest });
  expect(left).toEqual([]);
  // However long the test takes, these have ended a moment ago.
  await storeMany(new Date(Date.now() + 60_000));
  await learn(service.services, { rest });
  expect(left).toEqual([GAMES - 32, 0]);
  expect(await countOf(ada.id)).toBe(2 * GAMES);
});

test('a large game is learned in several transactions, each of which marks its rounds', async () => {
  const ids = (await Promise.all(Array.from({ length: 3 }, newUser))).map(({ id }) => id);
  // Deleted players count in the size of a game, and are not learned.
  const players = [...ids, ...Array.from({ length: MAX_REVIEWS / 2 }, () => randomUUID())];
  const rounds = Array.from({ length: 5 }, (_, at) =>
    roundOf(Object.fromEntries(players.map((id) => [id, true])), { prompt: `word ${at}` }),
  );
  const id = await store(players, rounds);
  const learnedRounds = async () => (await db().game.findUniqueOrThrow({ where: { id } })).learnedRounds;
  const steps: number[] = [];
  while ((await learnBatch(db(), takeGames)).taken > 0) steps.push(await learnedRounds());
  expect(steps).toEqual([1, 2, 3, 4, 5]);
  for (const one of ids) expect(await repsOf(one)).toEqual([1, 1, 1, 1, 1]);
});

test('a failed transaction marks nothing, and the next one learns the game', async ({ ada }) => {
  await store([ada.id], [roundOf({ [ada.id]: true })]);
  await withTrigger(db(), { when: 'BEFORE UPDATE ON game', body: `RAISE 'refused by the test';` }, () =>
    expect(learnBatch(db(), takeGames)).rejects.toThrow('refused by the test'),
  );
  expect(await learnedWordsOf(ada.id)).toEqual([]);
  await learnAll();
  expect(await repsOf(ada.id)).toEqual([1]);
});

test('an unreadable round is skipped, and the others are learned', async ({ ada }) => {
  await store([ada.id], [() => ({ prompt: 7 }), roundOf({ [ada.id]: true })]);
  expect(await learnBatch(db(), takeGames)).toMatchObject({ taken: 1, reviews: 1, unreadable: 1 });
  expect(await repsOf(ada.id)).toEqual([1]);
  expect(await learnBatch(db(), takeGames)).toMatchObject({ taken: 0 });
});

test('the answers of a game whose deck or list was deleted are counted, and the game is learned', async ({ ada }) => {
  const id = await store([ada.id], [roundOf({ [ada.id]: true })]);
  const list = { listId: randomUUID(), listName: 'Viagem', sourceLanguage: 'pt', targetLanguage: 'en' };
  await db().game.update({ where: { id }, data: { settings: { rounds: 1, ...list } } });
  await learn(service.services);
  expect(await learnedWordsOf(ada.id)).toEqual([]);
  expect(await countOf(ada.id)).toBe(1);
});

test('a game is not learned for a deleted account, but for its other players', async ({ ada, ben }) => {
  await store([ada.id, ben.id], [roundOf({ [ada.id]: true, [ben.id]: true })]);
  await deleteAccount(service.services, ada.id);
  await learnAll();
  expect(await learnedWordsOf(ada.id)).toEqual([]);
  expect(await countOf(ada.id)).toBe(0);
  expect(await repsOf(ben.id)).toEqual([1]);
});

test('[contract 11] what a guest has played is learned for the account, once, also in one game with it, and a game that is stored later', async () => {
  const [guest, account] = [await newUser(), await newUser()];
  await store([guest.id], [roundOf({ [guest.id]: true })]);
  await store([guest.id, account.id], [roundOf({ [guest.id]: false, [account.id]: true })]);
  await handOver(db(), guest.id, account.id);
  // A game that was still running at the hand-over is stored with the guest's id.
  await store([guest.id], [roundOf({ [guest.id]: true }, { prompt: 'tree' })]);
  await deleteAccount(service.services, guest.id);
  await learnAll();
  expect(await learnedWordsOf(guest.id)).toEqual([]);
  expect((await repsOf(account.id)).toSorted()).toEqual([1, 3]);
  expect(await countOf(account.id)).toBe(4);
});

test('[contract 11] no answer is lost or learned twice, and nothing deadlocks, when games are learned during hand-overs', async () => {
  for (let attempt = 0; attempt < 4; attempt++) {
    const [guest, account] = [await newUser(), await newUser()];
    await store([guest.id], [roundOf({ [guest.id]: true })]);
    await store([guest.id, account.id], [roundOf({ [guest.id]: true, [account.id]: true })]);
    // A deadlock would reject one of these promises.
    await Promise.all([learnAllWithRetries(), handOver(db(), guest.id, account.id), learnAllWithRetries()]);
    await learnAll();
    expect(await learnedWordsOf(guest.id)).toEqual([]);
    expect(await countOf(account.id)).toBe(3);
  }
});
