// Two people run the curl samples of the five steps in /docs, from a new account to a finished game.
// [contract 7]
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { useArena } from '../support/arena.ts';
import { createHttpClient } from '../support/http-client.ts';
import { mailTo } from '../support/outbox.ts';
import type { TestService } from '../support/service.ts';
import { importTestTerms } from '../support/vocabulary.ts';

let service: TestService;
/** The key is the operation, for example `POST /api/v1/lobbies`. */
const samples = new Map<string, string>();
const arena = useArena({ replicas: 1 });
beforeAll(async () => {
  // The sample starts a quiz with Spanish words.
  const terms = Array.from({ length: 10 }, (_, at) => ({
    targetLanguage: 'es',
    sourceText: `word ${at}`,
    targetText: `palabra ${at}`,
  }));
  await importTestTerms(arena.stores.databaseUrl, terms);
  [service] = arena.replicas as [TestService];
  const { body } = await createHttpClient(service.url).get('/api/openapi.json');
  for (const [path, item] of Object.entries<Record<string, Record<string, { source: string }[]>>>(body.paths))
    for (const [method, operation] of Object.entries(item))
      samples.set(`${method.toUpperCase()} ${path}`, operation['x-codeSamples']?.[0]?.source ?? '');
});

const run = promisify(execFile);

/** A person has a terminal in a folder of their own, where curl stores the cookies. */
function openTerminal(name: string) {
  const cwd = join(mkdtempSync(join(inject('temporaryFolder'), 'terminal-')), name);
  mkdirSync(cwd);
  return {
    email: `${name}@example.com`,
    /** Runs a sample with the person's own name in it. @returns the service's answer */
    async copy(operation: string, variables: Record<string, string> = {}) {
      const sample = samples.get(operation) ?? expect.fail(`${operation} has no sample`);
      const env = { PATH: process.env.PATH, SERVICE: service.url, ...variables };
      const source = sample.replaceAll('ada@', `${name}@`).replaceAll('"Ada"', `"${name}"`);
      const { stdout } = await run('sh', ['-c', source], { cwd, env });
      return JSON.parse(stdout);
    },
    /** @returns the cookies that curl has stored, as a Cookie header */
    cookie() {
      const lines = readFileSync(join(cwd, 'cookies.txt'), 'utf8').split('\n');
      const fields = lines.map((line) => line.split('\t')).filter(({ length }) => length === 7);
      return fields.map(([, , , , , key, value]) => `${key}=${value}`).join('; ');
    },
  };
}

it('the curl samples take two people from a new account to a finished game', async () => {
  const people = [openTerminal('ada'), openTerminal('ben')] as const;
  for (const { copy, cookie, email } of people) {
    await copy('POST /api/auth/sign-up/email');
    const { url } = await mailTo(service.services.config, email);
    await fetch(url as string, { redirect: 'manual', headers: { cookie: cookie() } });
    expect((await copy('POST /api/auth/sign-in/email')).user.email).toBe(email);
  }
  const [ada, ben] = people;
  const { code: CODE } = await ada.copy('POST /api/v1/lobbies');
  expect((await ben.copy('POST /api/v1/lobbies/{code}/join', { CODE })).players).toHaveLength(2);

  const lobbies = people.map((person) => createClient({ baseUrl: service.url, cookie: person.cookie() }).lobby(CODE));
  const finished = lobbies.map(
    (lobby) => new Promise<string>((end) => lobby.on('game:finished', ({ gameId }) => end(gameId))),
  );
  for (const lobby of lobbies) {
    lobby.on('error', ({ message }) => expect.fail(message));
    lobby.on('game:question', ({ question }) => lobby.answer(question.questionId, 0));
  }
  const [host] = lobbies as [(typeof lobbies)[0]];
  host.on('lobby:state', ({ lobby: { players, status } }) => {
    if (status === 'waiting' && players.every(({ connected }) => connected)) host.start();
  });
  const [GAME_ID = ''] = await Promise.all(finished);
  for (const lobby of lobbies) lobby.close();
  const stored = await ben.copy('GET /api/v1/games/{gameId}', { GAME_ID });
  expect(stored.scores.map(({ name }: { name: string }) => name).toSorted()).toEqual(['ada', 'ben']);
});
