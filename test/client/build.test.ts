// The client library as it is shipped: it is built, packed, and installed in an empty folder, where programs use it
// without other packages, and its schemas with zod. [contract 15]
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { beforeAll, expect, inject, it } from 'vitest';
import { TYPES } from '../../src/client/print.ts';
import { ROOT } from '../support/sources.ts';

const MAX_BYTES = 6000;

const run = promisify(execFile);
let folder: string;
let library: string;
beforeAll(async () => {
  folder = mkdtempSync(join(inject('temporaryFolder'), 'client-'));
  library = join(folder, 'node_modules/vocabulary-quiz-service');
  const built = join(folder, 'built');
  await run(process.execPath, ['src/client/build.ts', built], { cwd: ROOT });
  const { stdout } = await run('npm', ['pack', '--pack-destination', folder], { cwd: built });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${stdout.trim()}`], { cwd: folder });
});

/** Type-checks a program in a folder that has only the library. @returns the compiler's output */
async function check(program: string, options: object): Promise<string> {
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, types: [], target: 'es2022', ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((failure: { stdout: string }) => failure);
  return stdout;
}

function addPackages(...names: string[]): void {
  for (const name of names)
    cpSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
}

const PROGRAM = `
  import { ApiError, createClient, type ErrorCode, type Lobby } from 'vocabulary-quiz-service/client';
  declare const console: { log(value: unknown): void };
  export const isFull = ({ code }: ApiError) => code === ('LOBBY_FULL' satisfies ErrorCode);
  export async function play(code: string): Promise<string[]> {
    const client = createClient({ baseUrl: 'http://127.0.0.1', cookie: 'a=b' });
    const { players }: Lobby = await client.joinLobby(code);
    const lobby = client.lobby(code);
    lobby.on('game:question', ({ question, remainingMs }) => {
      const left: number = remainingMs;
      if (left <= 0) return;
      if (question.options) void lobby.answer(question.questionId, question.options[0]?.optionId ?? 0);
      else void lobby.answerText(question.questionId, question.answerMode);
    });
    lobby.on('game:answer_result', (event) => {
      const right: string | number = event.correctText === undefined ? event.correctOptionId : event.accepted[0] ?? '';
      console.log(right);
    });
    for await (const event of lobby) {
      if (event.type === 'game:finished') lobby.close();
      if (event.type === 'error' && event.reason === 'NOT_HOST') throw new ApiError(403, event.reason, event.message);
    }
    return players.map(({ name }) => name);
  }
`;

it('its types need no other package in a program for a bundler with exact optional properties', async () => {
  const bundled = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] };
  expect(await check(PROGRAM, { ...bundled, exactOptionalPropertyTypes: true })).toBe('');
});

it('its types need nothing of a browser, and reject what the service would refuse', async () => {
  const wrong = `${PROGRAM}
    const client = createClient({ baseUrl: '' });
    void client.createLobby({ settings: { rounds: 'many' } });
    void client.startGame({ colour: 'red' });
    client.lobby('').on('lobby:stat', () => {});
  `;
  const output = await check(wrong, { module: 'nodenext', lib: ['es2022'] });
  expect(output.match(/error TS/g)).toHaveLength(3);
});

it('it accepts the WebSocket classes of browsers, of Node.js and of the ws package', async () => {
  const program = `
    import WebSocket from 'ws';
    import { createClient } from 'vocabulary-quiz-service/client';
    createClient({ baseUrl: '', WebSocket });
    createClient({ baseUrl: '', WebSocket: globalThis.WebSocket, fetch: globalThis.fetch });
  `;
  addPackages('@types/ws', '@types/node', 'undici-types');
  const options = { module: 'nodenext', types: ['node'], skipLibCheck: true };
  expect(await check(program, { ...options, lib: ['es2024'] })).toBe('');
  expect(await check(program, { ...options, lib: ['es2024', 'dom'] })).toBe('');
});

/** Types with a question or a result, of which the library's make two types. They are narrower than the schemas' own. */
const TOLD_APART =
  'AccountExport AnswerResult AttemptSession GameResult GameSession Question ServerEvent ServerMessage ShownMessages';

it('its types equal those of the service’s schemas, but that they tell two kinds of questions apart', async () => {
  // The comparison runs in the checkout, since the schemas need zod.
  const names = [TYPES.input, TYPES.output].flatMap((types) => Object.keys(types));
  expect(names.length).toBeGreaterThan(10);
  const same = names.map(
    (name) => `
    const back${name}: Derived.${name} = null as unknown as Printed.${name};
    ${TOLD_APART.split(' ').includes(name) ? '// @ts-expect-error the printed type is narrower' : ''}
    const there${name}: Printed.${name} = null as unknown as Derived.${name};
    void there${name}, back${name};`,
  );
  const program = `
    import type * as Derived from '${ROOT}/src/client/types.ts';
    import type * as Printed from 'vocabulary-quiz-service/client';
    ${same.join('')}
  `;
  const options = { module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], allowImportingTsExtensions: true };
  // The files of the schemas may use Node.js.
  expect(await check(program, { ...options, types: ['node'], skipLibCheck: true })).toBe('');
});

it('it imports only its own files', () => {
  const files = readdirSync(library).filter((file) => /\.js$|\.d\.ts$/.test(file));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const text = readFileSync(join(library, file), 'utf8');
    for (const [, from] of text.matchAll(/from '([^']+)'|import\(['"]([^'"]+)/g))
      expect(from, file).toMatch(/^\.\/[\w-]+\.js$/);
  }
});

const SCHEMAS_PROGRAM = `
  import { ApiError } from 'vocabulary-quiz-service/client';
  import * as schemas from 'vocabulary-quiz-service/schemas';
  import { z } from 'zod';
  const request: z.input<typeof schemas.CreateLobbyRequest> = { settings: { rounds: 5 } };
  // @ts-expect-error there is no such message
  const nonsense: schemas.ClientMessage = { type: 'lobby:explode' };
  const closed = { type: 'lobby:closed', seq: 1, mark: '9f2c64d0b1e8a357', code: '7KQ2ZD', reason: 'expired' };
  const message: schemas.ServerMessage = schemas.ServerMessage.parse(closed);
  const reason: schemas.ErrorCode = 'LOBBY_FULL';
  const all: unknown[] = Object.values(schemas);
  console.log(message.type, typeof ApiError, all.filter((value) => value instanceof z.ZodType).length > 25);
  export { nonsense, reason, request };
`;

it('its schemas need zod alone, and both parts are imported by one program', async () => {
  addPackages('zod');
  expect(await check(SCHEMAS_PROGRAM, { module: 'nodenext', lib: ['es2022', 'dom'], noEmit: false })).toBe('');
  const { stdout } = await run(process.execPath, [join(folder, 'program.js')]);
  expect(stdout).toBe('lobby:closed function true\n');
});

/** @returns the compressed size of what a bundler makes of a program for a browser, bytes */
async function sizeOf(program: string): Promise<number> {
  const input = join(folder, 'entry.js');
  writeFileSync(input, program);
  const bundle = await rolldown({ input });
  const { output } = await bundle.generate({ minify: true });
  return gzipSync(output[0].code).length;
}

it(`it takes at most ${MAX_BYTES} bytes compressed, and bundlers can drop the parts that are not used`, async () => {
  const all = gzipSync(readFileSync(join(library, 'index.js'))).length;
  console.log(`client library: ${all} bytes compressed`);
  expect(all).toBeLessThanOrEqual(MAX_BYTES);
  expect(await sizeOf(`export { ApiError } from 'vocabulary-quiz-service/client';`)).toBeLessThan(all / 5);
});
