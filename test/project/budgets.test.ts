// The table of budgets: each row has a file that enforces it and a test that exceeds it. THREATS.md shows them and the
// operations; in its threat model each attack has a measure whose file exists, and a test under the cited title.
// `npx vitest run test/project/budgets.test.ts --update` writes its tables anew. [contract 17]
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { BUDGETS, type Budget } from '../../src/budgets.ts';
import { variables } from '../../src/config.ts';
import type { Operation } from '../../src/http/operation.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { OPERATIONS } from '../../src/operations.ts';
import { GameRequest } from '../../src/singleplayer/schema.ts';
import { ROOT, textOf } from '../support/sources.ts';

const THREATS = textOf('.github/THREATS.md');

/** For each row the file that enforces it, the folder and name of a file of tests, and the titles of tests in it. */
// biome-ignore format: a table has a line for each row
const ENFORCED: Record<keyof typeof BUDGETS, [by: string, tests: string, ...titles: string[]]> = {
  body: ['src/http/edge/edge.ts', 'http/input', 'is 413 PAYLOAD_TOO_LARGE over 64 KiB and accepted at 64 KiB'],
  listBody: ['src/vocabulary/operations.ts', 'vocabulary/lists', 'may have 4 MiB, unlike other bodies'],
  smallBody: ['src/http/bodies.ts', 'http/input', 'is 408 REQUEST_TIMEOUT if it arrives too slowly: %s'],
  bodyRate: ['src/http/bodies.ts', 'http/input', 'is 408 REQUEST_TIMEOUT if it arrives too slowly: %s', 'is read if it arrives fast enough, however long it takes'],
  bodiesOfUser: ['src/http/bodies.ts', 'http/bodies-in-flight', 'a user’s own excess is 429 and refuses nobody else, and finished bodies free their budget'],
  bodiesOfReplica: ['src/http/bodies.ts', 'http/bodies-in-flight', 'a replica holds 32 MiB of what has arrived, and refuses the rest'],
  readsOfUser: ['src/http/replies.ts', 'http/unread-replies', 'a user has 3, and an address 6; others wait', 'the later parts of a stream count too'],
  readsOfAddress: ['src/http/replies.ts', 'http/unread-replies', 'a user has 3, and an address 6; others wait'],
  repliesOfUser: ['src/http/replies.ts', 'http/unread-replies', 'a user has at most 8 MiB: %s'],
  repliesOfAddress: ['src/http/replies.ts', 'http/unread-replies', 'an address has at most 16 MiB'],
  repliesOfReplica: ['src/http/replies.ts', 'http/unread-replies', 'a replica has at most 64 MiB'],
  replyRate: ['src/http/edge/connections.ts', 'system/dripping-peers', 'a stalled HTTP connection is closed'],
  replyPart: ['src/http/replies.ts', 'system/unread-replies', 'the memory of a replica does not grow with replies that nobody reads'],
  gameRequests: ['src/app.ts', 'http/rate-limit', 'counts all operations of the game together, refused requests too'],
  authRequests: ['src/app.ts', 'http/rate-limit', 'counts by client address on all replicas, and refuses in the format of better-auth'],
  exports: ['src/app.ts', 'accounts/export', 'is 429 after RATE_LIMIT_EXPORT_MAX exports of a user in a window, and no other limiter counts it'],
  codeMisses: ['src/lobby/find-lobby.ts', 'lobby/code-guessing', 'are counted over HTTP and /ws together, on all replicas', 'are answered up to the limit if they are concurrent, and refused beyond it'],
  codeMissesOfAddress: ['src/lobby/find-lobby.ts', 'lobby/code-guessing', 'are counted by client address too, with a limit a hundred times as high'],
  failedPasswords: ['src/auth/account-limit.ts', 'auth/account-limit', 'after RATE_LIMIT_ACCOUNT_MAX failures the right password is refused too, and sessions stay valid'],
  secondFactorMisses: ['src/auth/second-factor.ts', 'auth/second-factor', 'of any number of concurrent codes at most ten are checked in a quarter of an hour'],
  mails: ['src/auth/mail/answer-request.ts', 'auth/mail-limit', 'limits the mails to one recipient in a window, and counts those of a password reset separately'],
  socketsOfUser: ['src/realtime/admission.ts', 'realtime/places', 'are never more than the limit over all replicas, however many upgrades are concurrent'],
  socketsOfAddress: ['src/realtime/admission.ts', 'realtime/places', 'are at most the limit on each replica, until one of them is closed'],
  message: ['src/realtime/routes.ts', 'realtime/limits', 'over 16 KiB closes the connection with 1009'],
  messages: ['src/realtime/socket.ts', 'realtime/limits', 'may be 40 at once, then 20 a second'],
  messageBurst: ['src/realtime/socket.ts', 'realtime/limits', 'may be 40 at once, then 20 a second'],
  waitingMessages: ['src/realtime/socket.ts', 'realtime/limits', 'at most 40 messages of a socket wait, and further ones get error 429'],
  messagesOfUser: ['src/realtime/routes.ts', 'realtime/streams', 'is one of 40 at once of its user, over all replicas, then of 20 a second, and refused ones count'],
  messageBurstOfUser: ['src/realtime/routes.ts', 'realtime/streams', 'is one of 40 at once of its user, over all replicas, then of 20 a second, and refused ones count'],
  streamLife: ['src/realtime/stream.ts', 'realtime/streams', 'comes after 60 s with 1012, and whoever comes back within 5 s stays connected for the others'],
  unreadBytes: ['src/realtime/connection.ts', 'realtime/limits', 'a client that does not read is disconnected'],
  replayChunk: ['src/realtime/connection.ts', 'realtime/catching-up', 'is sent in chunks of at most 64 KiB, each after its reader has taken the last one'],
  liveQuizzes: ['src/singleplayer/store.ts', 'singleplayer/sessions', 'is one of at most 20 live ones of a user, the newest, however many start at once on two replicas'],
  guestsQuizzes: ['src/singleplayer/store.ts', 'accounts/guest-budgets', 'take at most 32 MiB of Redis, whoever starts them on two replicas, and a class among them keeps its own'],
  quizLife: ['src/singleplayer/store.ts', 'singleplayer/sessions', 'ends after SESSION_TTL_SECONDS'],
  quizQuestions: ['src/singleplayer/schema.ts', 'project/budgets', 'the numbers of players, rounds and questions are limited'],
  acceptedTexts: ['src/vocabulary/draw-questions.ts', 'singleplayer/typed-quizzes', 'has as accepted texts the first of its prompt, as many as 400 bytes hold beside any of them'],
  answerKeys: ['src/singleplayer/store.ts', 'singleplayer/answers', 'are remembered for 60 s, of a user the 200 newest'],
  lobbies: ['src/app.ts', 'http/operations', 'counts for its limiter'],
  idleLobby: ['worker/remove-expired.ts', 'worker/idle-lobbies', 'deletes a lobby from which all members have disconnected, and a late join is LOBBY_NOT_FOUND'],
  lobbyPlayers: ['src/lobby/schema.ts', 'project/budgets', 'the numbers of players, rounds and questions are limited'],
  gameRounds: ['src/lobby/schema.ts', 'project/budgets', 'the numbers of players, rounds and questions are limited'],
  gameStarts: ['src/realtime/messages.ts', 'match/start', 'a user who has started RATE_LIMIT_GAME_MAX games in a window is refused with 429 on every replica'],
  lobbyLog: ['src/lobby/lua/append-event.lua', 'lobby/log-budget', 'has as many events as fit 4 MiB if they are large, and uses no more Redis memory'],
  logsOfHost: ['src/lobby/log-budget.ts', 'lobby/log-budget', 'of one host take at most 8 MiB of Redis, and each keeps its last 256 KiB', 'are bounded again within a minute when a process has died before it told them'],
  logsOfAddress: ['src/lobby/log-budget.ts', 'lobby/log-budget', 'of the hosts of one address take at most 64 MiB, and a class of 30 among them loses no event'],
  lobbyLogLife: ['src/lobby/lua/append-event.lua', 'lobby/log-budget', 'expires ten minutes after its last event, whoever is connected, and then begins anew'],
  lists: ['src/vocabulary/lists/store.ts', 'vocabulary/lists', 'is one of at most 100 of a user, however many are created at once'],
  listsOfAccount: ['src/vocabulary/lists/store.ts', 'vocabulary/list-budgets', 'have at most 8 MiB together: beyond it 409 LISTS_TOO_LARGE, and nothing changes', 'never exceed the limit, however many are stored at once on two replicas', 'of a guest go to the account as far as they fit, the newest first, once'],
  listsOfGuest: ['src/vocabulary/lists/store.ts', 'vocabulary/list-budgets', 'have at most 1 MiB if the user is a guest'],
  listPools: ['src/vocabulary/pools.ts', 'vocabulary/lists', 'take a limited memory, whatever the length of the words'],
  listLoads: ['src/vocabulary/pools.ts', 'vocabulary/lists', 'are made two at a time, and once for all who wait for one'],
  assignments: ['src/assignments/store.ts', 'assignments/assignments', 'creates exactly as many at once as there are places, 200'],
  people: ['src/assignments/attempt-store.ts', 'assignments/people', 'takes 1000 guests and 2000 people, however many start at once on two replicas'],
  guestPeople: ['src/assignments/attempt-store.ts', 'assignments/people', 'takes 1000 guests and 2000 people, however many start at once on two replicas', 'removes all guests at once, and no account'],
  attempts: ['src/assignments/schema.ts', 'assignments/attempts', 'counts attempts, each with new nonces, up to the number that is left'],
  guests: ['src/app.ts', 'accounts/guests', 'is refused in the order 404, 405, 403, 429, 415 and 400, and a class behind one address gets in'],
  guestsByCode: ['src/accounts/guests.ts', 'accounts/guests-by-code', 'counts for the address too, 2000 a window in all'],
  guestsOfPlace: ['src/accounts/guests.ts', 'accounts/guests-by-code', 'counts for the lobby before the address: twice its places in a window and address, over all replicas', 'is a guest like any other beyond these, who counts for the address and stores lists'],
  guestsOfAssignment: ['src/accounts/guests.ts', 'accounts/guests-by-code', 'may come to an open assignment in the same way'],
  unconfirmed: ['worker/remove-expired.ts', 'worker/chores', 'an account unverified for 7 days is removed with its sign-ups, and no other is'],
  signUps: ['src/auth/sign-up/confirm.ts', 'auth/sign-up', 'a link whose sign-up was dropped for later ones confirms none of them'],
  passkeys: ['src/auth/plugins/passkeys.ts', 'auth/passkeys', 'an account has at most 20 passkeys, whose names follow the rules for users’ names'],
  sessionLife: ['src/auth/sessions/session-ends.ts', 'auth/session-ends', 'ends 90 days after its sign-in at the latest, whether get-session or a guarded request renews it'],
  userAgent: ['src/auth/sessions/session-ends.ts', 'auth/session-ends', 'a session has at most 300 characters of the User-Agent, since every request reads it'],
};

const rows = Object.entries(BUDGETS) as [keyof typeof BUDGETS, Budget][];

function amountOf({ max, unit, setting }: Budget): string {
  const isBytes = unit.startsWith('bytes');
  const [divisor, name] = max % 2 ** 20 === 0 ? [2 ** 20, 'MiB'] : [2 ** 10, 'KiB'];
  const amount = isBytes ? `${max / divisor} ${unit.replace('bytes', name)}` : `${max} ${unit}`;
  return amount.trim() + (setting ? ` (\`${setting}\`)` : '');
}

const linkTo = (name: string, file: string) => `[${name}](../${file})`;

function lineOf([name, budget]: [keyof typeof BUDGETS, Budget]): string {
  const { who, what, where, beyond } = budget;
  const [by, tests, ...titles] = ENFORCED[name];
  const refusal = /^[A-Z_]+$/.test(beyond) ? `\`${beyond}\`` : beyond;
  const enforcer = linkTo(`\`${basename(by)}\``, by);
  const tested = titles.map((title) => linkTo(title, `test/${tests}.test.ts`)).join(', ');
  return `| ${who} | ${what}, ${where} | ${amountOf(budget)} | ${refusal} | ${enforcer} | ${tested} |`;
}

/** @returns the text with these lines in the table below a heading */
function withTable(text: string, heading: string, lines: string[]): string {
  const table = new RegExp(`(?<=\\n## ${heading}\\n.*?\\n\\|[-|]+\\|\\n).*?\\|\\n(?=\\n)`, 's');
  return text.replace(table, () => `${lines.join('\n')}\n`);
}

function operationLine({ id, method, path, access, limit, load, bodyLimit, body }: Operation): string {
  const size = body ? `${(bodyLimit ?? BUDGETS.body.max) / 1024} KiB` : '–';
  return `| ${id} | \`${method} ${path}\` | ${access} | ${limit ?? '–'} | ${load ?? '–'} | ${size} |`;
}

it('THREATS.md shows every operation and every budget', async () => {
  const text = withTable(THREATS, 'Operations', OPERATIONS.map(operationLine));
  await expect(withTable(text, 'Budgets', rows.map(lineOf))).toMatchFileSnapshot(join(ROOT, '.github/THREATS.md'));
});

it.each(rows)('%s is enforced with the number of its row, and has tests that exist', (name, { max, setting }) => {
  const [by, tests, ...titles] = ENFORCED[name];
  const source = textOf(by);
  expect(titles).not.toEqual([]);
  for (const title of titles) expect(hasTest(`test/${tests}.test.ts`, title), title).toBe(true);
  if (by.endsWith('.lua')) return expect(constantsOf(source)).toContain(max);
  if (!setting) return expect(source).toMatch(new RegExp(`BUDGETS\\.${name}\\b|'${name}'`));
  expect(variables.parse(REQUIRED)).toHaveProperty(setting, max);
});

const REQUIRED = { DATABASE_URL: 'postgresql://x', REDIS_URL: 'redis://x' };

/** @returns the constants of a script that are products of integers; times are in minutes */
function constantsOf(script: string): number[] {
  return [...script.matchAll(/^local (\w+) = ([\d *]+)$/gm)].map(([, name = '', product = '']) => {
    const value = product.split('*').reduce((product, factor) => product * Number(factor), 1);
    return name.endsWith('_MS') ? value / 60_000 : value;
  });
}

it('the numbers of players, rounds and questions are limited', () => {
  const isLobby = (request: object) => CreateLobbyRequest.safeParse(request).success;
  const [capacity, rounds] = [BUDGETS.lobbyPlayers.max, BUDGETS.gameRounds.max];
  expect(isLobby({ capacity, settings: { rounds } })).toBe(true);
  expect(isLobby({ capacity: capacity + 1 })).toBe(false);
  expect(isLobby({ settings: { rounds: rounds + 1 } })).toBe(false);
  const questionCount = BUDGETS.quizQuestions.max;
  expect(GameRequest.safeParse({ questionCount }).success).toBe(true);
  expect(GameRequest.safeParse({ questionCount: questionCount + 1 }).success).toBe(false);
});

/** The cells of the tables whose last column names the tests of a measure. */
const attacks = THREATS.split('\n## ')
  .filter((part) => part.startsWith('Who attacks'))
  .flatMap((part) => part.split('\n'))
  .filter((line) => line.startsWith('| ') && !line.endsWith('| tested by |'))
  .map((line) => line.slice(1, -1).split('|'));

const linksIn = (cell = '') =>
  [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, name = '', file = '']) => ({
    name,
    file: join('.github', file),
  }));

/** @returns whether the file has a test whose title contains this one */
function hasTest(file: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\(\\s*(['"\`])[^\\n]*${words}`).test(textOf(file));
}

it('each attacker and each attack has one row, with measures and tests that exist under the cited names', () => {
  expect(attacks.length).toBeGreaterThan(35);
  for (const [attack, measure, tests, ...rest] of attacks) {
    expect(rest, attack).toEqual([]);
    const [enforcers, titles] = [linksIn(measure), linksIn(tests)];
    expect([enforcers.length, titles.length], attack).not.toContain(0);
    for (const { name, file } of enforcers)
      expect([file, existsSync(join(ROOT, file)), name]).toEqual([file, true, `\`${basename(file)}\``]);
    for (const { name, file } of titles)
      expect(file.endsWith('.test.ts') && hasTest(file, name), `${file}: ${name}`).toBe(true);
  }
});
