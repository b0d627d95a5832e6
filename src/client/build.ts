// Builds the client library into dist/client: `node src/client/build.ts`. The result is a package of
// JavaScript and types without dependencies. It replaces an earlier build in one step, so that no reader
// finds an incomplete one.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printTypes } from './print.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const TARGET = process.argv[2] ?? path('../../dist/client');
/** The copy is two folders below the root, as the sources are, since tsconfig.json has a relative path. */
const STAGING = path(`../../dist/client.src-${process.pid}`);
const OUT = path(`../../dist/client.new-${process.pid}`);
const TSC = path('../../node_modules/typescript/bin/tsc');

const { name, version } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'));
const entry = { types: './index.d.ts', default: './index.js' };

try {
  cpSync(path('.'), STAGING, { recursive: true, filter: (file) => !/(build|print)\.ts$|examples$/.test(file) });
  writeFileSync(join(STAGING, 'types.ts'), await printTypes());
  execFileSync(process.execPath, [TSC, '-p', STAGING, '--outDir', OUT, '--rootDir', STAGING], { stdio: 'inherit' });
  // The compiler rewrites the extensions of imports only in JavaScript.
  for (const file of readdirSync(OUT).filter((name) => name.endsWith('.d.ts'))) {
    const types = readFileSync(join(OUT, file), 'utf8');
    writeFileSync(join(OUT, file), types.replace(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
  cpSync(path('README.md'), join(OUT, 'README.md'));
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(packageOf(), null, 2)}\n`);
  rmSync(TARGET, { recursive: true, force: true });
  mkdirSync(dirname(TARGET), { recursive: true });
  renameSync(OUT, TARGET);
} finally {
  for (const folder of [STAGING, OUT]) rmSync(folder, { recursive: true, force: true });
}

/** `vocabulary-quiz-service/client` leads here in the checkout, and in a project that installs this. */
function packageOf() {
  return {
    name,
    version,
    type: 'module',
    sideEffects: false,
    exports: { '.': entry, './client': entry },
    engines: { node: '>=20' },
  };
}
