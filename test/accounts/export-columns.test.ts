// No table and no column is forgotten by the export of a user's data. [contract 22]
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { QUESTION_EXAMPLE, QUESTION_EXAMPLE_NONCE } from '../../src/vocabulary/schema.ts';
import { exportOf } from '../support/exports.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';
import { OTHER_IDS, OTHER_TABLES, USER_TABLES } from './exported-columns.ts';

const { service, stores } = useService();
const [LIST, LOBBY, GAME, OTHER] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const AT = new Date('2026-11-21T09:30:00.123Z');

let client: pg.Client;
let user: TestUser;
beforeAll(async () => {
  client = new pg.Client({ connectionString: stores.databaseUrl });
  await client.connect();
  user = await createSignedInUser(service.services, { name: 'Ada' });
  await fill(user.id);
});
afterAll(() => client.end());

/** Stores a row in each table, with a value in each column. */
async function fill(userId: string): Promise<void> {
  const { db } = service.services;
  const dates = { createdAt: AT, updatedAt: AT };
  await db.user.update({
    where: { id: userId },
    data: { image: 'https://example.com/ada.png', language: 'it', twoFactorEnabled: true, isAnonymous: true },
  });
  await db.session.updateMany({ where: { userId }, data: { ipAddress: '203.0.113.7', userAgent: 'A browser' } });
  await db.account.create({
    data: {
      userId,
      ...dates,
      providerId: 'github',
      accountId: 'the-account',
      scope: 'user:email',
      accessToken: 'the-access-token',
      refreshToken: 'the-refresh-token',
      idToken: 'the-id-token',
      password: 'the-password-hash',
      accessTokenExpiresAt: new Date(1e12),
      refreshTokenExpiresAt: new Date(2e12),
    },
  });
  await db.passkey.create({
    data: {
      userId,
      name: 'Phone',
      publicKey: 'the-public-key',
      credentialID: 'the-credential',
      counter: 1_234_567,
      deviceType: 'multiDevice',
      backedUp: true,
      transports: 'internal',
      aaguid: 'the-model',
      createdAt: AT,
    },
  });
  await db.twoFactor.create({
    data: { userId, secret: 'the-second-secret', backupCodes: 'the-backup-codes', lockedUntil: AT },
  });
  await db.verification.createMany({
    data: ['trust-device-the-cookie', 'reset-password:the-link'].map((identifier) => ({
      identifier,
      value: userId,
      createdAt: AT,
      updatedAt: new Date(1e12),
      expiresAt: new Date('2030-01-01'),
    })),
  });
  await db.guestHandOver.create({ data: { guestId: OTHER, accountId: userId, createdAt: AT } });
  await db.reviewCount.create({ data: { userId, quarter: new Date('2026-11-21'), reviews: 77 } });
  await fillWords(userId);
  await fillGames(userId);
  await fillHomework(userId);
}

async function fillWords(ownerId: string): Promise<void> {
  const { db } = service.services;
  const { id } = await db.deck.create({
    data: { sourceLanguage: 'fr', targetLanguage: 'es', pos: 'verb', difficulty: 'C2' },
  });
  await db.wordList.create({
    data: {
      id: LIST,
      ownerId,
      name: 'Mine',
      sourceLanguage: 'de',
      targetLanguage: 'fi',
      shared: true,
      terms: [{ sourceText: 'Wort', targetText: 'sana' }],
      termCount: 1,
      promptCount: 901,
      questionCount: 902,
      bytes: 903,
      version: 904,
    },
  });
  const memory = {
    userId: ownerId,
    due: new Date(AT.getTime() + 1),
    stability: 1.25,
    difficulty: 4.5,
    state: 2,
    step: 3,
    scheduledDays: 4,
    reps: 5,
    lapses: 6,
    reviewedAt: AT,
    suspended: true,
  };
  await db.learnedWord.createMany({
    data: [
      { ...memory, word: randomUUID(), deckId: id, sourceKey: 'parler', gloss: 'to speak' },
      { ...memory, word: randomUUID(), listId: LIST, reverse: true, sourceKey: '' },
    ],
  });
}

async function fillGames(userId: string): Promise<void> {
  const { db } = service.services;
  const { settings } = LOBBY_EXAMPLE;
  const lobby = { hostId: userId, capacity: 8, playerCount: 1, settings, presenterId: userId };
  await db.lobby.create({
    data: {
      ...lobby,
      id: LOBBY,
      code: '7KQ2ZD',
      gameId: GAME,
      createdAt: AT,
      kickedIds: [OTHER],
      players: { create: { userId, name: 'Brave Otter' } },
    },
  });
  const other = await createSignedInUser(service.services);
  await db.lobby.create({ data: { ...lobby, hostId: other.id, code: '7KQ2ZE', kickedIds: [OTHER, userId] } });
  // The user has left this lobby.
  await db.lobby.create({
    data: {
      ...lobby,
      hostId: other.id,
      code: '7KQ2ZF',
      presenterId: other.id,
      names: { create: { userId, nameKey: 'quiet fox', name: 'Quiet Fox' } },
    },
  });
  await db.game.create({
    data: {
      id: GAME,
      code: '7KQ2ZD',
      settings,
      winnerIds: [userId],
      startedAt: AT,
      finishedAt: new Date(AT.getTime() + 5),
      presenterId: userId,
      hostId: userId,
      rounds: [
        {
          round: 1,
          ...QUESTION_EXAMPLE,
          correctOptionId: 0,
          nonce: QUESTION_EXAMPLE_NONCE,
          reason: 'timeout',
          judgedAt: AT,
          answers: [[0, 1, 5]],
          departedAnswers: [],
        },
      ],
      scores: { create: { userId, name: 'Ada', score: 8, correct: 9, position: 0, seat: 0 } },
    },
  });
}

async function fillHomework(userId: string): Promise<void> {
  const { questionId, prompt } = QUESTION_EXAMPLE;
  const answer = { question: 0, option: 0, isCorrect: true, judgedAtMs: AT.getTime() };
  const later = (ms: number) => new Date(AT.getTime() + ms);
  await service.services.db.assignment.create({
    data: {
      code: '7KQ2ZD9M',
      ownerId: userId,
      title: 'The unit',
      questionCount: 41,
      answerMode: 'choice',
      attempts: 7,
      opensAt: later(1),
      closesAt: later(2),
      createdAt: AT,
      words: { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' },
      questions: [{ questionId, prompt, correctText: 'casa', wrong: ['a', 'b', 'c'] }],
      people: { create: { userId, name: 'Ada before', isGuest: true } },
      begun: {
        create: {
          id: randomUUID(),
          userId,
          number: 6,
          secret: 'the-secret-of-the-attempt',
          startedAt: later(3),
          finishedAt: later(4),
          answers: [answer],
          answered: 1,
          correct: 5,
          learned: 1,
          unlearnedSince: later(5),
        },
      },
    },
  });
}

/** @returns the columns of each table, each as `name type` */
async function readColumns(): Promise<Map<string, { name: string; type: string }[]>> {
  const { rows } = await client.query<{ table: string; name: string; type: string }>(
    `SELECT table_name AS "table", column_name AS name, udt_name AS type
       FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  return Map.groupBy(rows, ({ table }) => table);
}

it('each table is one with data of users, or has a reason why it is left out', async () => {
  const tables = [...(await readColumns()).keys()].toSorted();
  expect([...Object.keys(USER_TABLES), ...Object.keys(OTHER_TABLES)].toSorted()).toEqual(tables);
});

it('each column of a table with data of users is exported, or has a reason why it is left out', async () => {
  const columns = await readColumns();
  for (const [table, listed] of Object.entries(USER_TABLES)) {
    const names = (columns.get(table) ?? []).map(({ name }) => name);
    expect(Object.keys(listed.columns).toSorted(), table).toEqual(names.toSorted());
  }
});

it('no other table has a column with the id of a user', async () => {
  const ids = [...(await readColumns())].flatMap(([table, columns]) =>
    columns.filter(({ type }) => /^_?uuid$/.test(type)).map(({ name }) => `${table}.${name}`),
  );
  const others = ids.filter((id) => (id.split('.')[0] ?? '') in OTHER_TABLES);
  expect(others.toSorted()).toEqual(Object.keys(OTHER_IDS).toSorted());
});

/** @returns the values at a path, those of all items of arrays */
function valuesAt(node: unknown, path: string[]): unknown[] {
  if (Array.isArray(node)) return node.flatMap((item) => valuesAt(item, path));
  const [field, ...rest] = path;
  if (field === undefined) return [node];
  return node !== null && typeof node === 'object' && field in node
    ? valuesAt(node[field as keyof typeof node], rest)
    : [];
}

const columns = Object.entries(USER_TABLES).flatMap(([table, { isOfUser, columns }]) =>
  Object.entries(columns).map(([column, entry]) => ({ table, column, isOfUser, ...entry })),
);

it('each exported column is where it is said to be, and no text of the others is in the export', async () => {
  const exported = await exportOf(createHttpClient(service.url, { cookie: user.cookie }));
  const text = JSON.stringify(exported);
  for (const { table, column, isOfUser, ...entry } of columns) {
    const name = `${table}.${column}`;
    const { rows } = await client.query<{ value: unknown }>(
      `SELECT "${column}" AS value FROM "${table}" WHERE ${isOfUser} AND "${column}" IS NOT NULL`,
      [user.id],
    );
    const stored = rows.map(({ value }) => value);
    expect(stored.length + Number('reason' in entry), name).toBeGreaterThan(0);
    if ('reason' in entry) {
      for (const value of stored) if (typeof value === 'string') expect(text, name).not.toContain(value);
      continue;
    }
    const found = valuesAt(exported, entry.path.split('.'));
    expect(found.length, name).toBeGreaterThan(0);
    const { convert } = entry;
    if (!convert) continue;
    const wanted = stored.map((value) => JSON.parse(JSON.stringify(convert(value))));
    for (const value of wanted.filter((one) => one !== '')) expect(found, name).toContainEqual(value);
  }
});
