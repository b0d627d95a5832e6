// `npm run prove` checks a service that fulfils the contract, and one that violates it.
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { prepareAccounts } from '../../src/tools/prove/accounts.ts';
import type { Account } from '../../src/tools/prove/robot.ts';
import { useArena } from '../support/arena.ts';
import { runCommand } from '../support/command.ts';
import { createHttpClient } from '../support/http-client.ts';
import { startRewritingProxy } from '../support/rewriting-proxy.ts';
import { writeAccounts } from '../support/users.ts';

const PLAYERS = 4;
/** The number of guests that the service admits, and that one run needs. */
const GUESTS_MAX = 2;

let folder: string;
const arena = useArena({ env: { GUESTS: 'true', RATE_LIMIT_GUEST_MAX: `${GUESTS_MAX}` } });
beforeAll(() => {
  folder = mkdtempSync(join(inject('temporaryFolder'), 'prove-'));
});

const run = (...args: string[]) => runCommand(['src/tools/prove/main.ts', ...args], process.env);

describe('npm run prove', () => {
  it('exits with 0 for a service that fulfils the contract while another command runs', async () => {
    const file = await writeAccounts(arena.services, folder, PLAYERS, 'correct-horse');
    const many = `--players ${PLAYERS} --games 2 --minutes 0.05 --round 2 --late 60 --json --while true --every 1`;
    const { code, stdout, stderr } = await run('--url', arena.replicas[0].url, '--accounts', file, ...many.split(' '));
    expect(code, `${stdout}${stderr}`).toBe(0);
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ violations: [], histories: [], meanwhile: { failure: null } });
    const { lobbies, games, rounds, quizzes, attempts, meanwhile } = summary;
    for (const counted of [lobbies, games, rounds, quizzes, attempts, meanwhile.runs])
      expect(counted).toBeGreaterThan(0);
  });

  it('exits with 1 for a violation, and writes the history to a file', async () => {
    const proxy = await startRewritingProxy(arena.replicas[0].url, {
      body: (path, body) => (path.startsWith('/api/v1/games/') ? { ...(body as object), winnerIds: [] } : body),
    });
    onTestFinished(() => proxy.stop());
    const file = await writeAccounts(arena.services, folder, 2);
    const few = '--players 2 --games 1 --minutes 0.05 --round 1 --transport sse'.split(' ');
    const { code, stdout } = await run('--url', proxy.url, '--accounts', file, '--history', folder, ...few);
    expect(code).toBe(1);
    expect(stdout).toMatch(/× stored \(.*lobby \w{6}, game:finished, number \d+\): stored is .*\n(.*\n)*NOT PROVED/);
    expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^prove-\w{6}\.json$/));
  });

  it('creates guests, signs them out, and names the limit when the service admits too few', async () => {
    const [{ url }] = arena.replicas;
    const { signal } = new AbortController();
    const options = { url, players: GUESTS_MAX, signal, onTrouble: (text: string) => expect.fail(text) };
    const crowd = await prepareAccounts(options);
    expect(crowd.accounts).toHaveLength(GUESTS_MAX);
    const isSignedIn = async (cookie: string) =>
      (await createHttpClient(url, { cookie }).get('/api/auth/get-session')).body !== null;
    const [{ cookie }] = crowd.accounts as [Account];
    expect(await isSignedIn(cookie)).toBe(true);
    await crowd.signOut();
    expect(await isSignedIn(cookie)).toBe(false);
    await expect(prepareAccounts(options)).rejects.toThrow(/RATE_LIMIT_GUEST_MAX/);
  });

  it.each([
    [
      'without a service',
      ['--url', 'http://127.0.0.1:9'],
      /^The service at http:\/\/127\.0\.0\.1:9 does not answer: No connection\.$/m,
    ],
    ['without an address', [], /The address of the service is missing: give it as in --url https:/],
  ])('exits with 2 %s', async (_, args, message) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
