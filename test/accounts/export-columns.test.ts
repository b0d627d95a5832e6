// No table and no column is forgotten by the export of a user's data: each value of a user's rows is in it, apart from the
// columns that are listed here. A column that is added needs a value in `fill`. [contract 22]
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { LOBBY_EXAMPLE } from '../../src/lobby/schema.ts';
import { QUESTION_EXAMPLE } from '../../src/vocabulary/schema.ts';
import { exportOf, roundOf } from '../support/exports.ts';
import { createHttpClient } from '../support/http-client.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser, type TestUser } from '../support/users.ts';

const { service } = useService();
const [LIST, LOBBY, GAME, OTHER] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const AT = new Date('2026-11-21T09:30:00.123Z');

let user: TestUser;
beforeAll(async () => {
  user = await createSignedInUser(service.services, { name: 'Ada' });
  await fill(user.id);
});

/** Stores a row in each table, with a value in each column. */
async function fill(userId: string): Promise<void> {
  const { db } = service.services;
  await db.user.update({
    where: { id: userId },
    data: { image: 'https://example.com/ada.png', language: 'it', twoFactorEnabled: true, isAnonymous: true },
  });
  await db.session.updateMany({ where: { userId }, data: { ipAddress: '203.0.113.7', userAgent: 'A browser' } });
  await db.account.create({
    data: {
      userId,
      createdAt: AT,
      updatedAt: AT,
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
      rounds: [roundOf({ judgedAt: AT.toISOString(), answers: [[0, 1, 5]] })],
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
      questions: [{ questionId, prompt, texts: ['casa', 'a', 'b', 'c'] }],
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

const BY_USER_ID =
  'account passkey two_factor session learned_word review_count lobby_player lobby_name game_score assignment_person ' +
  'assignment_attempt';
/** The tables with data of users, each with the condition of a user's rows, in which $1 is the user's id. */
const USER_TABLES: Record<string, string> = {
  ...Object.fromEntries(BY_USER_ID.split(' ').map((table) => [table, 'user_id = $1'])),
  user: 'id = $1',
  verification: `value = $1::text AND identifier LIKE 'trust-device-%'`,
  guest_hand_over: 'account_id = $1',
  word_list: 'owner_id = $1',
  lobby: 'host_id = $1',
  game: 'presenter_id = $1',
  assignment: 'owner_id = $1',
};

/** The columns of these tables that the export leaves out, by the reason. */
const LEFT_OUT: Record<string, Record<string, string>> = {
  'It is a secret, or about one.': {
    account: 'access_token refresh_token id_token password',
    passkey: 'public_key credential_id counter',
    two_factor: 'secret backup_codes',
    session: 'token',
    verification: 'identifier updated_at',
    assignment_attempt: 'secret',
  },
  'It is about a token, which is left out.': { account: 'access_token_expires_at refresh_token_expires_at' },
  'It is computed from what is exported.': {
    word_list: 'prompt_count question_count bytes translation_keys translation_terms source_keys source_terms',
    learned_word: 'word',
    lobby_name: 'name_key',
    game_score: 'position',
    assignment: 'guest_count',
    assignment_person: 'has_finished',
    assignment_attempt: 'answered',
  },
  'It is the lobby’s, and says nothing of the user.': {
    lobby: 'capacity player_count version active_at locked',
    lobby_player: 'seat',
    lobby_name: 'lobby_id last_number',
  },
  'The lobbies and the results of games have it.': { lobby_name: 'name' },
  'By it the service knows what is left to do, or what has changed.': {
    user: 'invited',
    word_list: 'version',
    game: 'learned_rounds learned',
    assignment_attempt: 'learned unlearned_since',
  },
  'The lock after failed codes is off, and a user has one row at most.': {
    two_factor: 'failed_verification_count locked_until id',
  },
  'Its owner may still have to answer them.': { assignment: 'questions' },
};

/** The columns that are exported in another form, with the fields that tell them. */
const TOLD: Record<string, string> = {
  'two_factor.verified': 'account.twoFactorEnabled',
  'learned_word.deck_id': 'learnedWords.pos',
  'learned_word.state': 'learnedWords.memory.state',
  'lobby.host_id': 'account.lobbies.isHost',
  'lobby.presenter_id': 'account.lobbies.isPresenter',
  'lobby.kicked_ids': 'account.removedFrom',
  'game.rounds': 'games.rounds',
  // A game in which the user has no score was presented or hosted.
  'game.presenter_id': 'games.scores',
  'game.host_id': 'games.scores',
  'game.compact': 'games.settings',
  'game_score.seat': 'games.rounds.answers',
  'assignment.owner_id': 'assignments.startedCount',
  'assignment.words': 'assignments.sourceLanguage',
  'assignment_attempt.answers': 'attempts.answers',
};

/** The tables whose rows are not the user's, or not the signed-in user's, and why. */
const OTHER_TABLES: Record<string, string> = {
  deck: 'The built-in words.',
  term: 'The built-in words.',
  source: 'The origins of the built-in words.',
  import_progress: 'The position of an import of words by the previous release.',
  learned_quiz: 'The ids of quizzes, which name no user.',
  sign_up: 'After the first sign-in these are a stranger’s, and the worker removes them.',
  user_deletion: 'An account whose deletion has begun has no session.',
  _prisma_migrations: 'The applied migrations.',
};

/** The columns of other tables that hold ids, and what they refer to. */
const OTHER_IDS: Record<string, string> = {
  'term.id': 'the term',
  'term.word': 'a hash of the deck, the prompt and the gloss',
  'learned_quiz.session_id': 'the quiz, whose key in Redis names the user until it has expired',
  'sign_up.id': 'the sign-up',
  'sign_up.user_id': 'the unconfirmed account',
  'user_deletion.user_id': 'the account that is deleted',
  'user_deletion.lobby_ids': 'the lobbies that it leaves',
};

/** @returns the columns of all tables */
async function readColumns() {
  const { rows } = await service.services.postgres.query<Record<'table' | 'column' | 'name' | 'type', string>>(
    `SELECT table_name AS "table", column_name AS "column", table_name || '.' || column_name AS name, udt_name AS type
       FROM information_schema.columns WHERE table_schema = 'public'`,
  );
  return rows;
}

it('each table is one with data of users, or has a reason why it is left out', async () => {
  const tables = new Set((await readColumns()).map(({ table }) => table));
  expect([...Object.keys(USER_TABLES), ...Object.keys(OTHER_TABLES)].toSorted()).toEqual([...tables].toSorted());
});

it('no other table has a column with the id of a user', async () => {
  const others = (await readColumns()).filter(({ table, type }) => table in OTHER_TABLES && /^_?uuid$/.test(type));
  expect(others.map(({ name }) => name).toSorted()).toEqual(Object.keys(OTHER_IDS).toSorted());
});

/** @returns the texts, numbers and truths in a document */
function leavesOf(node: unknown): unknown[] {
  return node !== null && typeof node === 'object' ? Object.values(node).flatMap(leavesOf) : [node];
}

it('each value of a column is exported, or has a reason why it is left out, and none that is left out is a text', async () => {
  const exported = await exportOf(createHttpClient(service.url, { cookie: user.cookie }));
  const [leaves, text] = [new Set(leavesOf(exported)), JSON.stringify(exported)];
  const leftOut = Object.values(LEFT_OUT).flatMap((tables) =>
    Object.entries(tables).flatMap(([table, columns]) => columns.split(' ').map((column) => `${table}.${column}`)),
  );
  const columns = (await readColumns()).filter(({ table }) => table in USER_TABLES);
  const names = columns.map(({ name }) => name);
  expect([...leftOut, ...Object.keys(TOLD)].filter((name) => !names.includes(name))).toEqual([]);
  for (const { table, column, name } of columns) {
    const { rows } = await service.services.postgres.query<{ value: unknown }>(
      `SELECT "${column}" AS value FROM "${table}" WHERE ${USER_TABLES[table]} AND "${column}" IS NOT NULL`,
      [user.id],
    );
    const stored = leavesOf(JSON.parse(JSON.stringify(rows))).filter((value) => value !== '');
    const missing = stored.filter((value) => !leaves.has(value));
    if (leftOut.includes(name)) {
      for (const { value } of rows) if (typeof value === 'string') expect(text, name).not.toContain(value);
    } else {
      expect(stored.length, name).toBeGreaterThan(0);
      if (!(name in TOLD)) expect(missing, name).toEqual([]);
    }
  }
});
