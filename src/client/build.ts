// Builds the client library into dist/client: `node src/client/build.ts`. The result is a package of its own: the library
// and its types, which need no other package, and the service's schemas, which need zod. It replaces an earlier build in
// one step, so that no reader finds an incomplete one. With `--print` it writes operations.ts and types.ts anew instead.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { builtFiles, FILES } from './print.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const TARGET = process.argv[2] ?? path('../../dist/client');
/** The copy is two folders below the root, as the sources are, since tsconfig.json has a relative path. */
const STAGING = path(`../../dist/client.src-${process.pid}`);
const OUT = path(`../../dist/client.new-${process.pid}`);
const TSC = path('../../node_modules/typescript/bin/tsc');

const { name, version, dependencies } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'));
const entry = { types: './index.d.ts', default: './index.js' };
/** `vocabulary-quiz-service/client` leads here in the checkout, and in a project that installs this. */
const PACKAGE = {
  name,
  version,
  description: 'The client library of the vocabulary quiz service, and its schemas.',
  type: 'module',
  sideEffects: false,
  exports: {
    '.': entry,
    './client': entry,
    './schemas': { types: './schemas/schemas.d.ts', default: './schemas/schemas.js' },
  },
  peerDependencies: { zod: `^${dependencies.zod}` },
  peerDependenciesMeta: { zod: { optional: true } },
  engines: { node: '>=20' },
};

if (TARGET === '--print') writeAll(path('.'), FILES);
else await build();

async function build(): Promise<void> {
  try {
    cpSync(path('.'), STAGING, { recursive: true, filter: (file) => !/(build|print)\.ts$|examples$/.test(file) });
    writeAll(STAGING, await builtFiles());
    declare(STAGING, STAGING, OUT);
    await bundle(path('index.ts'), 'index.js', true);
    const types = { compilerOptions: { types: ['node'] }, include: [path('../schemas.ts')] };
    writeFileSync(join(STAGING, 'schemas.json'), JSON.stringify({ extends: '../../tsconfig.json', ...types }));
    declare(join(STAGING, 'schemas.json'), path('..'), join(OUT, 'schemas'));
    await bundle(path('../schemas.ts'), 'schemas/schemas.js', false);
    cpSync(path('README.md'), join(OUT, 'README.md'));
    writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(PACKAGE, null, 2)}\n`);
    rmSync(TARGET, { recursive: true, force: true });
    renameSync(OUT, TARGET);
  } finally {
    for (const folder of [STAGING, OUT]) rmSync(folder, { recursive: true, force: true });
  }
}

function writeAll(folder: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
}

/** Writes the declarations of a project, whose imports then name the files of JavaScript, as the compiler leaves them. */
function declare(project: string, rootDir: string, outDir: string): void {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--incremental', 'false'];
  execFileSync(process.execPath, [TSC, '-p', project, ...options, '--outDir', outDir, '--rootDir', rootDir], {
    stdio: 'inherit',
  });
  for (const file of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const types = readFileSync(join(outDir, file), 'utf8');
    writeFileSync(join(outDir, file), types.replace(/((?:from|import\() ?["']\.[\w./-]+)\.ts(["'])/g, '$1.js$2'));
  }
}

/** Writes one file of JavaScript, without packages. */
async function bundle(input: string, file: string, minify: boolean): Promise<void> {
  const bundled = await rolldown({ input, platform: 'neutral', external: ['zod'] });
  await bundled.write({ file: join(OUT, file), minify, comments: false });
  await bundled.close();
}
