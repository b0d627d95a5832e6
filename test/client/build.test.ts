// The client library as it is shipped: it is built into its own folder and used there by a program without
// other packages. [contract 15]
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const MAX_BYTES = 6000;

const run = promisify(execFile);
let folder: string;
let library: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-client-'));
  library = join(folder, 'node_modules/vocabulary-quiz-service');
  await run(process.execPath, ['src/client/build.ts', library], { cwd: ROOT });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Type-checks a program in a folder that has only the library. @returns the compiler's output */
async function check(program: string, options: object): Promise<string> {
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  const compilerOptions = { noEmit: true, strict: true, skipLibCheck: false, types: [], target: 'es2022', ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  return run(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const PROGRAM = `
  import { ApiError, createClient, type Lobby } from 'vocabulary-quiz-service/client';
  export async function play(code: string): Promise<string[]> {
    const client = createClient({ baseUrl: 'http://127.0.0.1', cookie: 'a=b' });
    const { players }: Lobby = await client.joinLobby(code);
    const lobby = client.lobby(code);
    lobby.on('game:question', ({ question, remainingMs }) => {
      const left: number = remainingMs;
      if (left > 0) lobby.answer(question.questionId, 0);
    });
    for await (const event of lobby) {
      if (event.type === 'game:finished') lobby.close();
      if (event.type === 'error' && event.reason === 'NOT_HOST') throw new ApiError(403, event.reason, event.message);
    }
    return players.map(({ name }) => name);
  }
`;

it.each([
  ['nodenext', { module: 'nodenext', lib: ['es2022'] }],
  ['a bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] }],
  ['exact optional properties', { module: 'nodenext', lib: ['es2022'], exactOptionalPropertyTypes: true }],
])('its types need no other package in a program for %s', async (_, options) => {
  expect(await check(PROGRAM, options)).toBe('');
});

it('its types reject what the service would refuse', async () => {
  const wrong = `
    import { createClient } from 'vocabulary-quiz-service/client';
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
  const types = join(folder, 'node_modules/@types');
  mkdirSync(types, { recursive: true });
  for (const name of ['ws', 'node'])
    cpSync(join(ROOT, 'node_modules/@types', name), join(types, name), { recursive: true });
  const undici = join(folder, 'node_modules/undici-types');
  cpSync(join(ROOT, 'node_modules/undici-types'), undici, { recursive: true });
  const options = { module: 'nodenext', types: ['node'], skipLibCheck: true };
  expect(await check(program, { ...options, lib: ['es2024'] })).toBe('');
  expect(await check(program, { ...options, lib: ['es2024', 'dom'] })).toBe('');
});

it('its types equal those of the service’s schemas', async () => {
  // The comparison runs in the checkout, since the schemas need zod.
  const derived = readFileSync(join(ROOT, 'src/client/types.ts'), 'utf8');
  const names = [...derived.matchAll(/^export type (\w+)/gm)].map(([, name]) => name as string);
  expect(names.length).toBeGreaterThan(10);
  const same = names.map(
    (name) => `
    const there${name}: Printed.${name} = null as unknown as Derived.${name};
    const back${name}: Derived.${name} = null as unknown as Printed.${name};
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

/** @returns the compressed size of the program that a browser loads, bytes */
async function sizeOf(program: string): Promise<number> {
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, program);
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, formats: ['es'] }, minify: true },
  });
  const [{ output }] = built as unknown as [{ output: { code: string }[] }];
  return gzipSync(output[0]?.code ?? '').length;
}

it(`it takes less than ${MAX_BYTES} bytes compressed, and bundlers can drop the parts that are not used`, async () => {
  const all = await sizeOf(`export * from 'vocabulary-quiz-service/client';`);
  console.log(`client library: ${all} bytes compressed`);
  expect(all).toBeLessThan(MAX_BYTES);
  const one = await sizeOf(`export { ApiError } from 'vocabulary-quiz-service/client';`);
  expect(one).toBeLessThan(all / 5);
});
