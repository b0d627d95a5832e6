// `npm run prove`: a service that keeps its promises is proved, and each way of breaking one is found.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { ServerMessage } from '../../src/client/types.ts';
import { gatherCrowd } from '../../src/prove/accounts.ts';
import type { Account } from '../../src/prove/player.ts';
import { type ProveOptions, prove } from '../../src/prove/prove.ts';
import { type Arena, useArena } from '../support/arena.ts';
import { type Lies, startDoctor } from '../support/doctor.ts';
import { createHttpClient } from '../support/http-client.ts';
import { createSignedInUser, givePassword } from '../support/users.ts';

const PASSWORD = 'correct-horse';
const PLAYERS = 4;
/** As many as one run needs. */
const GUESTS_MAX = 2;

let url: string;
let folder: string;
const arena = useArena({ env: { GUESTS: 'true', RATE_LIMIT_GUEST_MAX: `${GUESTS_MAX}` } });
beforeAll(async () => {
  url = arena.replicas[0]?.url as string;
  folder = mkdtempSync(join(inject('temporaryFolder'), 'prove-'));
});

/** @param byPassword whether the first one signs in by it @returns a file of new accounts */
async function accountsFile(count: number, byPassword = false): Promise<string> {
  const { services } = arena.replicas[0] as Arena['replicas'][0];
  const users = await Promise.all(
    Array.from({ length: count }, () => createSignedInUser(services)),
  );
  await givePassword(services, users[0]?.id as string, PASSWORD);
  const lines = users.map(({ email, cookie }, index) =>
    byPassword && index === 0 ? `${email} ${PASSWORD}` : cookie,
  );
  const file = join(folder, `accounts-${users[0]?.id}.txt`);
  writeFileSync(file, `# the players\n${lines.join('\n')}\n`);
  return file;
}

/** @returns the command's exit code, and what it printed */
function run(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['src/prove/main.ts', ...args], (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe('npm run prove', () => {
  it('proves a service that keeps its promises, whatever is done meanwhile', async () => {
    const file = await accountsFile(PLAYERS, true);
    const { code, stdout, stderr } = await run(
      ...['--url', url, '--players', `${PLAYERS}`, '--games', '2', '--accounts', file],
      ...['--minutes', '0.1', '--round', '2', '--late', '60', '--json'],
      ...['--while', 'true', '--every', '1'],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ violations: [], histories: [], meanwhile: { failures: [] } });
    const { lobbies, games, rounds, quizzes, meanwhile } = summary;
    for (const counted of [lobbies, games, rounds, quizzes, meanwhile.runs])
      expect(counted).toBeGreaterThan(0);
  });

  it('exits with 1 when a promise is broken, and keeps the history', async () => {
    const doctor = await startDoctor(url, {
      answered: (path, body) =>
        path.startsWith('/api/v1/games/') ? { ...(body as object), winnerIds: [] } : body,
    });
    try {
      const { code, stdout } = await run(
        ...['--url', doctor.url, '--players', '2', '--games', '1', '--minutes', '0.05'],
        ...['--accounts', await accountsFile(2), '--round', '1', '--history', folder],
      );
      expect(code).toBe(1);
      expect(stdout).toMatch(/× stored: stored is .*\n(.*\n)*NOT PROVED/);
      expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^prove-\w{6}\.json$/));
    } finally {
      await doctor.stop();
    }
  });

  it('makes guests, signs them out, and says when too few are let in', async () => {
    const signal = new AbortController().signal;
    const options = {
      url,
      players: GUESTS_MAX,
      signal,
      onTrouble: (text: string) => expect.fail(text),
    };
    const crowd = await gatherCrowd(options);
    expect(crowd.accounts).toHaveLength(GUESTS_MAX);
    const isSignedIn = async (cookie: string) =>
      (await createHttpClient(url, { cookie }).get('/api/auth/get-session')).body !== null;
    const [{ cookie }] = crowd.accounts as [Account];
    expect(await isSignedIn(cookie)).toBe(true);
    await crowd.dismiss();
    expect(await isSignedIn(cookie)).toBe(false);
    await expect(gatherCrowd(options)).rejects.toThrow(/RATE_LIMIT_GUEST_MAX/);
  });

  it.each([
    ['without a service', ['--url', 'http://127.0.0.1:9'], /No connection/],
    ['without an address', [], /--url is the address/],
    [
      'with too few players',
      ['--url', 'http://127.0.0.1:9', '--players', '1'],
      /--players is a number of at least 2/,
    ],
  ])('exits with 2 %s', async (_, args, said) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(said);
  });
});

type Result = Extract<ServerMessage, { type: 'game:answer_result' }>;

/** @param tell what is told instead of a round's result @param isOnce of the first one alone */
function aboutResults(tell: (result: Result) => object[], isOnce = false): Lies {
  let times = 0;
  const isMeant = ({ type }: ServerMessage) =>
    type === 'game:answer_result' && (times++ === 0 || !isOnce);
  return { told: (message) => (isMeant(message) ? tell(message as Result) : [message]) };
}

/** Results are swallowed until somebody is told what comes after one: who has gone in between misses none. */
function swallowing(): Lies {
  const deprived = new Set<number>();
  let isNoticed = false;
  return {
    told(message, client) {
      if (isNoticed || !('seq' in message)) return [message];
      if (message.type === 'game:answer_result') {
        deprived.add(client);
        return [];
      }
      isNoticed = deprived.has(client) && !message.snapshot;
      return [message];
    },
  };
}

describe.concurrent('finds a service that', () => {
  it.each<[string, string, Lies]>([
    ['swallows an event', 'numbers', swallowing()],
    ['says an event twice', 'numbers', aboutResults((result) => [result, result], true)],
    [
      'tells one player something else',
      'same',
      // Of a single player, too, while the other one presents.
      aboutResults((result) => [{ ...result, questionId: result.gameId }], true),
    ],
    [
      'gives points that nobody has earned',
      'game',
      aboutResults(({ scores, ...result }) => [
        { ...result, scores: scores.map((of) => ({ ...of, score: 7 })) },
      ]),
    ],
    [
      'changes the right answer after the question was shown',
      'ended',
      aboutResults((result) => [{ ...result, correctOptionId: (result.correctOptionId + 1) % 4 }]),
    ],
    [
      'stores other rounds than it has told',
      'stored',
      {
        answered: (path, body) =>
          path.startsWith('/api/v1/games/') ? { ...(body as object), rounds: [] } : body,
      },
    ],
  ])('%s', async (_, kind, lies) => {
    const doctor = await startDoctor(url, lies);
    try {
      const options: ProveOptions = {
        ...{ url: doctor.url, players: 2, games: 1, durationMs: 100, roundMs: 1000 },
        ...{ file: await accountsFile(2), everyMs: 1000, lateMaxMs: 60_000 },
        signal: new AbortController().signal,
      };
      const { violations, histories } = await prove(options);
      expect(violations.map((violation) => violation.kind)).toContain(kind);
      expect(histories).toHaveLength(1);
    } finally {
      await doctor.stop();
    }
  });
});
