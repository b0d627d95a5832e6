// The package's export `vocabulary-quiz-service/schemas`, as a TypeScript client imports it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { z } from 'zod';
import * as schemas from '../src/schemas.ts';

const ROOT = resolve(import.meta.dirname, '..');

const CLIENT = `
import { ClientMessage, type CreateLobbyRequest, type ErrorCode, type GameSession, type Lobby, ServerMessage } from 'vocabulary-quiz-service/schemas';
import type { z } from 'zod';

const request: z.input<typeof CreateLobbyRequest> = { settings: { rounds: 5 } };
const join: ClientMessage = { type: 'lobby:join', code: '7KQ2ZD', since: 3 };
// @ts-expect-error there is no such message
const nonsense: ClientMessage = { type: 'lobby:explode' };

function summaryOf(text: string): string {
  const message = ServerMessage.parse(JSON.parse(text));
  switch (message.type) {
    case 'lobby:state': {
      const lobby: Lobby = message.lobby;
      return lobby.players.map(({ name }) => name).join();
    }
    case 'lobby:closed':
      return message.reason;
    case 'game:question': {
      const question: GameSession['questions'][number] = message.question;
      return question.prompt;
    }
    case 'game:answer_result':
      return String(message.correctOptionId);
    case 'game:finished':
      return message.winnerIds.join();
    case 'lobby:kicked':
      return message.code;
    case 'game:progress':
      return String(message.answered);
    case 'ack':
      return message.ref;
    case 'error': {
      const reason: ErrorCode = message.reason;
      return reason;
    }
  }
}
console.log(summaryOf('{"type":"lobby:closed","seq":1,"mark":"9f2c64d0b1e8a357","code":"7KQ2ZD","reason":"expired"}'));
export { join, nonsense, request };
`;

let folder: string;
beforeAll(() => {
  // A separate project has this one among its packages.
  folder = mkdtempSync(join(inject('temporaryFolder'), 'client-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/vocabulary-quiz-service'));
  symlinkSync(join(ROOT, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'client.ts'), CLIENT);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });

it('it has types by which a client’s code is checked', () => {
  const config = { extends: join(ROOT, 'tsconfig.json'), files: ['client.ts'], include: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout } = run(join(ROOT, 'node_modules/typescript/bin/tsc'));
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

it('it runs without a build, and loads zod and nothing else: no framework, no driver', () => {
  writeFileSync(
    join(folder, 'spy.js'),
    `import { registerHooks } from 'node:module';
     registerHooks({ load: (url, context, next) => (console.error(url), next(url, context)) });`,
  );
  const { stdout, stderr } = run('--import', './spy.js', 'client.ts');
  expect(stdout).toBe('expired\n');
  const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
  const packages = loaded.flatMap((url) => url.match(/(?<=node_modules\/)[^/]+/g)?.slice(-1) ?? []);
  expect(loaded.some((url) => url.endsWith('/src/schemas.ts'))).toBe(true);
  expect(new Set(packages)).toEqual(new Set(['zod']));
});

it('it has schemas of everything that is sent and received', () => {
  const all = Object.values(schemas).filter((value) => value instanceof z.ZodType);
  expect(all.length).toBeGreaterThan(25);
  for (const name of ['ClientMessage', 'ServerMessage', 'GameRequest', 'AnswerRequest', 'Problem'])
    expect(schemas).toHaveProperty(name);
});
