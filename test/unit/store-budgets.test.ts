// The sizes that SECURITY.md states for the stores' data equal the limits in the code. [contract 17]
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { GUESTS_PER_ADDRESS } from '../../src/accounts/guests/admit-by-code.ts';
import { GUESTS_PER_ASSIGNMENT } from '../../src/accounts/guests/invitations.ts';
import { ATTEMPTS, MAX_ASSIGNMENTS } from '../../src/assignments/schema.ts';
import { MAX_PASSKEYS } from '../../src/auth/plugins/passkeys.ts';
import { MAX_USER_AGENT_LENGTH, SESSION_MAX_SECONDS } from '../../src/auth/plugins/record-hooks.ts';
import { readConfig } from '../../src/config.ts';
import { CreateLobbyRequest, LOBBY_CAPACITY, LOBBY_ROUNDS } from '../../src/lobby/schema.ts';
import { MAX_QUESTIONS } from '../../src/singleplayer/schema.ts';
import { MAX_QUIZZES } from '../../src/singleplayer/store.ts';
import { LISTS_BYTES, MAX_LISTS } from '../../src/vocabulary/lists/limits.ts';
import { UNCONFIRMED_FOR } from '../../worker/remove-expired.ts';
import { ROOT } from '../support/manifests.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { rateLimits, sockets, sessionTtlSeconds, lobbyIdleTtlSeconds } = readConfig({
  BETTER_AUTH_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgresql://x',
  REDIS_URL: 'redis://x',
});
const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;

/** @returns the value of a constant in append-event.lua, which is a product of integers */
function ofTheLog(name: string): number {
  const source = read('src/lobby/lua/append-event.lua');
  const [, product = ''] = new RegExp(`^local ${name} = ([\\d *]+)$`, 'm').exec(source) ?? [];
  return product.split('*').reduce((value, factor) => value * Number(factor), 1);
}

/** The largest sizes by owner and kind of data, computed from the limits in the code. */
const EXPECTED: Record<string, string> = {
  'a user: live quizzes, Redis': `${MAX_QUIZZES}, of ${MAX_QUESTIONS} questions each, for ${sessionTtlSeconds} s`,
  'a user: own lists, PostgreSQL': `${mebibytes(LISTS_BYTES.account)} (a guest ${mebibytes(LISTS_BYTES.guest)}) in ${MAX_LISTS} lists`,
  'a user: lists that were a guest’s, PostgreSQL': `what fits ${mebibytes(LISTS_BYTES.account)}`,
  'a user: lobbies, both stores': `${rateLimits.lobby} a window, each for ${lobbyIdleTtlSeconds} s after the last member was connected`,
  'a user: results of games, PostgreSQL': `${rateLimits.game} starts a window, of ${LOBBY_ROUNDS.max} rounds each`,
  'a user: answers for the memory, both stores': `${rateLimits.game} requests a window; one row a word`,
  'a user: assignments, PostgreSQL': `${MAX_ASSIGNMENTS} of an account, of ${MAX_QUESTIONS} questions each`,
  'a user: attempts of assignments, PostgreSQL': `${ATTEMPTS.max} of each assignment, ${rateLimits.game} starts a window`,
  'a user: sockets’ places, Redis': `${sockets.perUser}`,
  'a user: passkeys, PostgreSQL': `${MAX_PASSKEYS}`,
  'a user: sessions, both stores': `${rateLimits.auth} sign-ins a window and address, ${MAX_USER_AGENT_LENGTH} characters of the client’s name each, for ${SESSION_MAX_SECONDS / 86_400} days at the longest`,
  'an address: guests, PostgreSQL': `${rateLimits.guest} a window; by codes ${GUESTS_PER_ADDRESS.toLocaleString('en')}, of each lobby twice its places, of each assignment ${GUESTS_PER_ASSIGNMENT.toLocaleString('en')}`,
  'an address: accounts that nobody confirms, and links, PostgreSQL': `${rateLimits.auth} requests a window, for ${UNCONFIRMED_FOR}`,
  'an address: mails that wait, Redis': `${rateLimits.mail} a window and mailbox`,
  'an address: counters, Redis': 'until their window is over',
  'a lobby: its log, Redis': `${mebibytes(ofTheLog('LOG_BYTES'))}, for ${ofTheLog('LOG_KEPT_MS') / 60_000} minutes after the last event`,
  'a lobby: its game, Redis': `${LOBBY_ROUNDS.max} rounds of ${LOBBY_CAPACITY.max} players`,
};

it('the table of the stores’ data states the limits in the code', () => {
  const [, part = ''] = read('SECURITY.md').split('\n## What the stores can be made to hold\n');
  const rows = (part.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| a'))
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll("'", '’')));
  const table = Object.fromEntries(rows.map(([, who, what, most]) => [`${who}: ${what}`, most]));
  expect(table).toEqual(EXPECTED);
});

it('a lobby has a limited number of rounds and players', () => {
  const codeOf = (request: object) => CreateLobbyRequest.safeParse(request).success;
  const rounds = LOBBY_ROUNDS.max;
  expect(codeOf({ capacity: LOBBY_CAPACITY.max, settings: { rounds } })).toBe(true);
  expect(codeOf({ capacity: LOBBY_CAPACITY.max + 1 })).toBe(false);
  expect(codeOf({ settings: { rounds: rounds + 1 } })).toBe(false);
});
