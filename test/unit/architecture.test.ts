// The shape of the program, held: which way imports run, what stays pure, who reads the environment
// and who names keys, and how long a file may get.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MAX_LINES = 300;

/** From the ground up: a part may import parts of the lines below its own, and itself. */
const LAYERS = [
  ['errors', 'generated', 'redis-address'],
  ['config', 'validation'],
  ['platform'],
  // For commands on this machine; no process of the service may reach it, see below.
  ['local-stack'],
  ['http', 'scoring', 'fairness'],
  ['vocabulary'],
  ['learning'],
  ['auth', 'singleplayer'],
  ['lobby'],
  ['match'],
  ['realtime', 'inspect', 'accounts'],
  ['services', 'schemas'],
  // Runs elsewhere, and takes types alone from here, see below.
  ['client'],
  // From outside: the service as others see it.
  ['prove'],
  ['app'],
  ['server', 'worker', 'inspect'],
];

/** Files that only compute. */
const isPure = (file: string) =>
  /\/(rules|random-order|quoted)\.ts$/.test(file) ||
  /^src\/(scoring|vocabulary\/distractors)\//.test(file);

/** What else they may import: an error is data, and FSRS is a formula. */
const PURE_TARGETS = ['src/errors.ts', 'ts-fsrs'];

interface Import {
  file: string;
  /** A path of the project, or the name of a package. */
  target: string;
  isTypeOnly: boolean;
}

const sources = [...filesIn('src'), ...filesIn('worker')];
const imports = sources.flatMap(importsOf);

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|lua|js|css|html)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/generated|node_modules|\/dist\//.test(file));
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

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

/** @returns `lobby` for src/lobby/rules.ts, `config` for src/config.ts, `worker` for worker/main.ts */
function partOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
}

/** @returns the files that these programs load, themselves included */
function reachableFrom(...programs: string[]): Set<string> {
  const reached = new Set(programs);
  // A set grows while it is walked.
  for (const from of reached)
    for (const { file, target, isTypeOnly } of imports)
      if (file === from && isOurs(target) && !isTypeOnly) reached.add(target);
  return reached;
}

const rankOf = (part: string) => LAYERS.findIndex((layer) => layer.includes(part));
const isOurs = (target: string) => /^(src|worker)\//.test(target);

it('sees the project', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(imports.length).toBeGreaterThan(300);
  expect(imports).toContainEqual({
    file: 'src/app.ts',
    target: 'src/services.ts',
    isTypeOnly: true,
  });
});

describe('imports run one way', () => {
  it('every part has its place', () => {
    // The pages that browsers load stand by themselves.
    const parts = new Set(sources.map(partOf).filter((part) => part !== 'web'));
    expect([...parts].filter((part) => rankOf(part) < 0)).toEqual([]);
  });

  it('no part imports one above or beside it', () => {
    const wrong = imports.filter(({ file, target }) => {
      if (!isOurs(target) || partOf(file) === partOf(target) || partOf(file) === 'web')
        return false;
      return rankOf(partOf(target)) >= rankOf(partOf(file));
    });
    expect(wrong).toEqual([]);
  });

  it('no feature imports the composition root', () => {
    const importers = imports
      .filter(({ target }) => target === 'src/services.ts')
      .map(({ file }) => partOf(file));
    expect([...new Set(importers)].sort()).toEqual(['app', 'server', 'worker']);
  });

  it('nothing imports tests or the tools beside the code', () => {
    const outside = imports.filter(({ target }) => /^(test|k8s|\.ci)\//.test(target));
    expect(outside).toEqual([]);
  });

  it('the client library is complete by itself: it imports types alone from the rest', () => {
    const reached = [...reachableFrom('src/client/index.ts')];
    expect(reached.length).toBeGreaterThan(5);
    expect(reached.filter((file) => !file.startsWith('src/client/'))).toEqual([]);
    const packages = imports.filter(
      ({ file, target, isTypeOnly }) => reached.includes(file) && !isOurs(target) && !isTypeOnly,
    );
    expect(packages).toEqual([]);
  });

  it('nothing that runs in production imports the local stack, however far away', () => {
    const reached = reachableFrom('src/server.ts', 'worker/main.ts');
    expect(reached.size).toBeGreaterThan(80);
    expect([...reached].filter((file) => file.includes('/local-stack/'))).toEqual([]);
  });
});

it('pure files import pure files', () => {
  const impure = imports.filter(
    ({ file, target, isTypeOnly }) =>
      isPure(file) && !isTypeOnly && !isPure(target) && !PURE_TARGETS.includes(target),
  );
  expect(impure).toEqual([]);
});

it('pure files do not look at the clock, chance or the environment', () => {
  const impure = sources.filter(
    (file) =>
      isPure(file) &&
      /\bDate\.now|\bnew Date\(\)|Math\.random|\bprocess\.|\bfetch\(/.test(textOf(file)),
  );
  expect(impure).toEqual([]);
});

it('only config.ts and the local stack read process.env', () => {
  const readers = sources.filter(
    (file) => file.endsWith('.ts') && /\bprocess\.env\b/.test(textOf(file)),
  );
  expect(readers.filter((file) => !file.includes('/local-stack/'))).toEqual(['src/config.ts']);
});

describe('keys of Redis', () => {
  it('are named in stores and in files of keys alone', () => {
    const namesKeys = /`[a-z]+(:[a-z]+)*:\{?\$\{/;
    const owners = /\/(store|keys|presence|secondary-storage|session-cache|rate-limit)\.ts$/;
    const others = sources.filter(
      (file) => file.endsWith('.ts') && !file.includes('/local-stack/') && !owners.test(file),
    );
    expect(others.filter((file) => namesKeys.test(textOf(file)))).toEqual([]);
  });

  it('reach a script as KEYS, so that it works on a cluster', () => {
    const scripts = sources.filter((file) => file.endsWith('.lua'));
    expect(scripts.length).toBeGreaterThan(5);
    const named = scripts.filter((file) =>
      /redis\.p?call\(\s*'[A-Z]+'\s*,\s*['"]/.test(textOf(file)),
    );
    expect(named).toEqual([]);
  });
});

it(`no file of the program is longer than ${MAX_LINES} lines`, () => {
  const long = [...sources, ...filesIn('prisma')]
    .map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});

it('every file opens with why it exists', () => {
  const silent = sources.filter(
    (file) => /\.(ts|js)$/.test(file) && !/^(\/\/|\/\*|#!)/.test(textOf(file)),
  );
  expect(silent).toEqual([]);
});
