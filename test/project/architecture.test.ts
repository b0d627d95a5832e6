// Checks the program's architecture: the direction of imports, the purity of files, who may read the
// environment and name keys of Redis, and the length of files.
import { globSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SCRIPTS, testsOf } from '../mutation/scripts.ts';
import { filesIn, ROOT, textOf } from '../support/sources.ts';

/** A file is a concept that one reads in one go. */
const MAX_LINES = 400;

/** The layers, from the lowest. A part may import itself and parts of the lines before its own. */
const LAYERS = [
  // The build of the image.
  ['build'],
  ['errors'],
  ['budgets', 'generated', 'random-text', 'redis-address', 'text'],
  ['config', 'fields', 'validation'],
  ['platform'],
  ['http', 'scoring', 'fairness', 'judging', 'names'],
  ['vocabulary'],
  ['learning'],
  ['auth', 'singleplayer'],
  ['lobby'],
  ['match'],
  ['assignments'],
  ['realtime', 'accounts', 'common-services'],
  // Descriptions of routes and messages of all parts.
  ['docs'],
  ['services', 'schemas', 'operations'],
  // The client library runs elsewhere and imports only types from the other parts.
  ['client'],
  // Programs for developers and operators. Of the service, only the console shares their queries.
  ['tools'],
  ['app', 'console'],
  ['server', 'worker'],
];

/** Files that only compute. */
const isPure = (file: string) =>
  /^src\/text\.ts$|\/(rules|random-order)\.ts$/.test(file) ||
  /^src\/(scoring|judging|vocabulary\/distractors)\//.test(file);

/**
 * The imports that pure files may have besides each other: errors are data, FSRS is a formula, and a word's
 * id is a hash.
 */
const PURE_TARGETS = ['src/errors.ts', 'src/learning/word-ids.ts', 'ts-fsrs'];

interface Import {
  file: string;
  /** A path in the project, or a package's name. */
  target: string;
  isTypeOnly: boolean;
}

const PROGRAM = /\.(tsx?|lua|js|css|html)$/;
const sources = [...filesIn('src', PROGRAM), ...filesIn('worker', PROGRAM)];
const imports = sources.flatMap(importsOf);

function importsOf(file: string): Import[] {
  if (!file.endsWith('.ts')) return [];
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s+(type\s)?(?:[\w*{][^;'"]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  );
  return [...statements].map(([, type, named, dynamic]) => {
    const path = named ?? dynamic ?? '';
    const target = path.startsWith('.') ? posix.join(posix.dirname(file), path) : path;
    return { file, target, isTypeOnly: type !== undefined };
  });
}

/**
 * @returns the part of a file: `lobby` for src/lobby/rules.ts, `config` for src/config.ts, `worker` for
 *   worker/main.ts
 */
function partOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
}

/** The pages of the console, which a worker loads with the first request for one. */
const CONSOLE_PAGES = 'src/console/app.ts';

/**
 * @param options.without a file that is left out, with all that it alone imports
 * @returns the files that these programs import, directly or not, including their own
 */
function reachableFrom(programs: string | string[], options?: { without: string }): Set<string> {
  const reached = new Set([programs].flat());
  // A Set's iteration also visits the elements that are added during it.
  for (const from of reached)
    for (const { file, target, isTypeOnly } of imports)
      if (file === from && isOurs(target) && !isTypeOnly && target !== options?.without) reached.add(target);
  return reached;
}

/** @returns the packages of which these files import values, sorted */
function packagesOf(files: Set<string>): string[] {
  const named = imports
    .filter(({ file, target, isTypeOnly }) => files.has(file) && !isTypeOnly && !isOurs(target))
    .filter(({ target }) => !/^node:|\.json$/.test(target));
  return [...new Set(named.map(({ target }) => target))].sort();
}

const rankOf = (part: string) => LAYERS.findIndex((layer) => layer.includes(part));
const isOurs = (target: string) => /^(src|worker)\//.test(target);

it('the project’s files are found', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(imports.length).toBeGreaterThan(300);
  expect(imports).toContainEqual({ file: 'src/app.ts', target: 'src/services.ts', isTypeOnly: true });
});

describe('imports run one way', () => {
  it('every part has a layer', () => {
    // The scripts of the documents run in browsers and import nothing.
    const parts = new Set(sources.map(partOf).filter((part) => part !== 'web'));
    expect([...parts].filter((part) => rankOf(part) < 0)).toEqual([]);
  });

  it('no part imports one of its own layer or of a higher one', () => {
    const wrong = imports.filter(({ file, target, isTypeOnly }) => {
      // A use case says by this type which services it needs.
      if (target === 'src/services.ts' && isTypeOnly) return false;
      if (!isOurs(target) || partOf(file) === partOf(target) || partOf(file) === 'web') return false;
      return rankOf(partOf(target)) >= rankOf(partOf(file));
    });
    expect(wrong).toEqual([]);
  });

  it('no feature imports more than types of the composition root', () => {
    const importers = imports
      .filter(({ target, isTypeOnly }) => target === 'src/services.ts' && !isTypeOnly)
      .map(({ file }) => partOf(file));
    expect([...new Set(importers)]).toEqual(['server']);
  });

  it('nothing imports tests or development tools', () => {
    const outside = imports.filter(({ target }) => /^(test|k8s|\.ci)\//.test(target));
    expect(outside).toEqual([]);
  });

  it('the client library is self-contained: it imports only types from the other parts', () => {
    const reached = [...reachableFrom('src/client/index.ts')];
    expect(reached.length).toBeGreaterThan(5);
    expect(reached.filter((file) => !file.startsWith('src/client/'))).toEqual([]);
    expect(packagesOf(new Set(reached))).toEqual([]);
  });

  it('nothing that runs in production imports the local stack, not even indirectly', () => {
    const reached = reachableFrom(['src/server.ts', 'worker/main.ts']);
    expect(reached.size).toBeGreaterThan(80);
    expect([...reached].filter((file) => file.includes('/tools/dev/'))).toEqual([]);
  });
});

describe('the memory of processes', () => {
  it('a worker loads only the packages that its jobs need', () => {
    expect(packagesOf(reachableFrom('worker/main.ts', { without: CONSOLE_PAGES }))).toEqual([
      '@opentelemetry/api',
      '@opentelemetry/sdk-node',
      '@prisma/adapter-pg',
      'better-auth/crypto',
      'bullmq',
      'ioredis',
      'pg',
      'pino',
      'prom-client',
      'resend',
      'ts-fsrs',
      'zod',
    ]);
  });

  it('better-auth’s own database layer and its unused plugins are not loaded', () => {
    // Both of these also export what 'better-auth/api' and 'better-auth/plugins/NAME' do.
    const all = ['better-auth', 'better-auth/plugins'];
    const found = imports.filter(({ target, isTypeOnly }) => all.includes(target) && !isTypeOnly);
    expect(found).toEqual([]);
  });
});

it('pure files import only pure files', () => {
  const impure = imports.filter(
    ({ file, target, isTypeOnly }) => isPure(file) && !isTypeOnly && !isPure(target) && !PURE_TARGETS.includes(target),
  );
  expect(impure).toEqual([]);
});

const isTypeScript = (file: string) => file.endsWith('.ts');
const isOfService = (file: string) => isTypeScript(file) && !file.includes('/tools/dev/');
// The client library runs elsewhere and compares texts of the service by its own rules.
const isChecked = (file: string) => isTypeScript(file) && !file.startsWith('src/tools/prove/');
const namesKeys = (file: string) =>
  /\/(store|keys|presence|secondary-storage|limits|better-auth-names)\.ts$/.test(file);

it.each<[rule: string, isMeant: (file: string) => boolean, code: RegExp, exceptions: string[]]>([
  [
    'only text.ts normalises, folds and segments text, since it checks the length first [contract 17]',
    isChecked,
    /\.normalize\(|\bSegmenter\b/,
    ['src/text.ts'],
  ],
  [
    'only client-address.ts reads `ip`, which a request has no more when its client has gone [contract 17]',
    () => true,
    /\brequest\.ip\b|\{(?:[^{}]*,)? ip\b[^{}]*\}(?:\)|: FastifyRequest)/,
    ['src/http/client-address.ts'],
  ],
  [
    'pure files use neither the clock nor random numbers nor the environment',
    isPure,
    /\bDate\.now|\bnew Date\(\)|Math\.random|\bprocess\.|\bfetch\(/,
    [],
  ],
  [
    'only config.ts and the local stack read process.env, and the build of the page sets it',
    isOfService,
    /\bprocess\.env\b/,
    ['src/config.ts', 'src/web/build.ts'],
  ],
  [
    'keys of Redis are named only in stores and in files of keys',
    (file) => isOfService(file) && !namesKeys(file),
    /`[a-z]+(:[a-z]+)*:\{?\$\{/,
    [],
  ],
  [
    'keys of Redis are passed to scripts as KEYS, so that the scripts work on a cluster',
    (file) => file.endsWith('.lua'),
    /redis\.p?call\(\s*'[A-Z]+'\s*,\s*['"]/,
    [],
  ],
  ['every file begins with a comment on its purpose', (file) => /\.(ts|js)$/.test(file), /^(?!\/\/|\/\*|#!)/, []],
])('%s', (_rule, isMeant, code, exceptions) => {
  const meant = sources.filter(isMeant);
  expect(meant.length).toBeGreaterThan(5);
  expect(meant.filter((file) => code.test(textOf(file)))).toEqual(exceptions);
});

it(`no file of the program is longer than ${MAX_LINES} lines`, () => {
  const long = [...sources, ...filesIn('prisma', PROGRAM)]
    .map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

it('the mutation run knows the tests of each script of lobbies and games', () => {
  for (const file of globSync(SCRIPTS, { cwd: ROOT })) expect(testsOf(ROOT, file).length).toBeGreaterThan(0);
});

it('nothing is spread for the sake of the layout', () => {
  const program = ['src', 'worker', 'test'].flatMap((folder) => filesIn(folder, /\.tsx?$/));
  // A spread literal could stand there itself.
  const spread = /\.\.\.\{|^ *\.\.\.\(\[.*\] as const\),$|\.\.\.\[[a-z'][\w., ']*\],/m;
  expect(program.filter((file) => spread.test(textOf(file)))).toEqual([]);
});
