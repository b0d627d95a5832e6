// The code uses only documented interfaces of libraries and of Node.js, so that each can be updated. The
// patterns below match code that does not; each exception is one line, with its reason.
import { expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { filesIn, textOf } from '../support/sources.ts';

/** The exceptions: file, and pattern. A line's comment says why the pattern may match. */
const EXCEPTIONS: Record<string, Record<string, string>> = {
  'a cast around a library’s object': {
    'src/auth/plugins/passkeys.ts':
      'A hook of better-auth 1.7.7 cannot change the status of an answer, and the plugin answers 500 to a registration that does not hold.',
    'src/http/rate-limit.ts': '@fastify/rate-limit 11 types its hook without the scope that Fastify calls it with.',
    'src/auth/sessions/user-sessions.ts':
      'Fastify 5 types a decorator by its later value, and wants a value of that type before there is one.',
  },
  'a method put on an object': {
    'src/auth/plugins/passkeys.ts': 'See above: the wrapped endpoint keeps its path and options.',
  },
  'an endpoint wrapped or replaced in a library’s plugin': {
    'src/auth/plugins/passkeys.ts': 'See above. [contract 1]: a request that does not hold is a 400.',
  },
  'an endpoint under a path of better-auth': {
    'src/auth/sign-up/sign-up.ts':
      '[contract 17]: better-auth looks an account up before it replies, and does less work for an address that has one, so that the time reveals it; and it confirms an address in any browser that opens the link, and whichever password came first.',
  },
  'hooks left out of a library’s plugin': {
    'src/auth/guests.ts':
      '[contract 11]: the hooks of the anonymous plugin delete a guest at a sign-in, whose games have to be handed over.',
  },
  'a name that better-auth gives to records': {
    'src/auth/plugins/better-auth-names.ts':
      '[contract 17]: better-auth has no way to end all reset links and trusted devices of a user; the file says where each name is defined.',
  },
  'a cookie of better-auth': {
    'src/auth/guests.ts': '[contract 11]: the guest of a sign-in is read before its session ends.',
    'src/auth/input/input-rules.ts':
      '[contract 17]: a callback without the state’s cookie is refused before it is looked up.',
    'src/auth/second-factor.ts': '[contract 17]: codes are counted by the user whose sign-in awaits one.',
    'src/auth/sessions/session-ends.ts': '[contract 17]: a sign-in ends the session that the browser had.',
    'src/auth/sessions/user-sessions.ts':
      '[contract 6]: a guarded request costs one read of Redis, where better-auth’s own getSession also parses and signs.',
    'src/auth/sign-up/links.ts': '[contract 17]: the cookie of a sign-up is secure where that of the session is.',
  },
  'a signature that a library makes, too': {
    'src/auth/sessions/user-sessions.ts': 'See above: the cookie is verified without better-auth’s router.',
  },
  'a subclass of a library’s class': {
    'src/platform/postgres/postgres.ts':
      '[contract 1, 8]: pg 8 closes a connection after any refused statement, lends one with an open transaction, and tells nobody how long callers wait; a client has no other hook for a span.',
    'src/platform/redis/redis.ts':
      '[contract 17]: a request costs a replica little; ioredis 6 writes each command by itself, or keeps the garbage of those that it writes together. `sendCommand` and `stream` are public in its types.',
  },
  'a message of a library': {
    'src/client/http.ts':
      '[contract 15]: `fetch` reports a lost network by a TypeError, as JavaScript reports mistakes; nothing else tells them apart.',
    'src/platform/outages/outage.ts':
      '[contract 1]: ioredis 6 and pg 8 tell these failures by nothing else; the list names the library of each.',
    'src/platform/redis/redis.ts': 'The code of an error reply of Redis is the first word of its message.',
    'src/platform/redis/scripts.ts': 'See above.',
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
  ['an endpoint wrapped or replaced in a library’s plugin', /\bendpoints: \{ \.\.\./],
  ['an endpoint under a path of better-auth', /createAuthEndpoint\(\s*'/],
  ['hooks left out of a library’s plugin', /\bhooks: _/],
  [
    'a name that better-auth gives to records',
    /'(?:reset-password:|verification:|active-sessions-|trust-device-|2fa-)|`verification:/,
  ],
  ['a cookie of better-auth', /createAuthCookie\(|\bauthCookies\b/],
  ['a signature that a library makes, too', /createHmac\('sha256', secret\)\.update\(token\)/],
  ['a subclass of a library’s class', /\bclass \w+ extends (?!\w*Error\b|Connection\b)[\w.]+/],
  [
    'a message of a library',
    /\bmessage(?: \?\? '')?\.(?:startsWith|includes|match)\(|\.(?:test|exec)\((?:\w+\.)*message\b/,
  ],
  ['a file below a package’s exports', /from '(?:@[\w-]+\/)?[a-z][\w.-]*\/(?:dist|lib|built|build|src|esm|cjs)\//],
];

const files = ['src', 'worker']
  .flatMap((folder) => filesIn(folder, /\.ts$/))
  .filter((file) => !file.startsWith('src/web/'));

/** @returns the code of a file without its comments, which may match */
const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

it('the service’s files are found', () => {
  expect(files.length).toBeGreaterThan(250);
});

it.each(PATTERNS)('no code has %s', (name, pattern) => {
  const found = files.filter((file) => pattern.test(codeOf(file)));
  expect(found.toSorted()).toEqual(Object.keys(EXCEPTIONS[name] ?? {}).toSorted());
});

it('Node.js is started with documented flags only', () => {
  const commands = [...Object.values(packageJson.scripts), textOf('Dockerfile')];
  const flags = commands.join('\n').match(/node(?:"?,?\s+"?--[\w=-]+"?)+/g) ?? [];
  const names = flags.flatMap((text) => text.match(/--[a-z-]+/g) ?? []);
  const documented = ['--max-semi-space-size', '--max-old-space-size'];
  expect([...new Set(names)].filter((name) => !documented.includes(name))).toEqual([]);
});
