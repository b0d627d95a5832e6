// The code uses only documented interfaces of libraries and of Node.js, so that each can be updated. The
// patterns below match code that does not; each exception is one line, with its reason.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

/** The exceptions: file, and pattern. A line's comment says why the pattern may match. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  'a cast around a library’s object': {
    'src/auth/plugins/passkeys.ts':
      'A hook of better-auth 1.7.7 cannot change the status of an answer, and the plugin answers 500 to a registration that does not hold.',
    'src/auth/sessions/user-sessions.ts':
      'Fastify 5 types a decorator by its later value, and wants a value of that type before there is one.',
    'src/http/rate-limit.ts': '@fastify/rate-limit 11 types its hook without the scope that Fastify calls it with.',
  },
  'a method put on an object': {
    'src/auth/plugins/passkeys.ts': 'See above: the wrapped endpoint keeps its path and options.',
  },
};

const PATTERNS: [name: string, pattern: RegExp][] = [
  // Code recognises plain objects by comparing their prototype to Object.prototype.
  ['a prototype', /(?<!=== Object)\.prototype\b/],
  // Prisma documents `_sum` and others as the names of its aggregates.
  ['a private name', /(?<!\bthis)\.(?!_(?:sum|count|min|max|avg)\b)_[A-Za-z]\w*/],
  ['a private name as text', /\[['"`]_[A-Za-z]\w*['"`]\]/],
  ['a private symbol', /Object\.getOwnPropertySymbols/],
  ['a cast around a library’s object', /\bas unknown as\b/],
  ['a call past the types', /\bReflect\.(apply|set|defineProperty)\b/],
  [
    'a method put on an object',
    /Object\.assign\((?:pool|redis|client|app|server|queue|worker|backend|socket|stream|blaming)\b/,
  ],
  ['a file below a package’s exports', /from '(?:@[\w-]+\/)?[a-z][\w.-]*\/(?:dist|lib|built|build|src|esm|cjs)\//],
];

const files = ['src', 'worker'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/^src\/(generated|web)\//.test(file)),
);

/** @returns the code of a file without its comments, which may match */
function codeOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

it('the service’s files are found', () => {
  expect(files.length).toBeGreaterThan(300);
});

it.each(PATTERNS)('no code has %s', (name, pattern) => {
  const found = files.filter((file) => pattern.test(codeOf(file)));
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS[name] ?? {}).toSorted());
});

it('Node.js is started with documented flags only', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = [...Object.values(scripts), readFileSync(join(ROOT, 'Dockerfile'), 'utf8')];
  const flags = commands.join('\n').match(/node(?:"?,?\s+"?--[\w=-]+"?)+/g) ?? [];
  const names = flags.flatMap((text) => text.match(/--[a-z-]+/g) ?? []);
  const documented = ['--max-semi-space-size', '--max-old-space-size'];
  expect([...new Set(names)].filter((name) => !documented.includes(name))).toEqual([]);
});
