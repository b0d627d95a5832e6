// Builds the client library into dist/client: `node src/client/build.ts`. What lies there is a package
// by itself, JavaScript and types, that needs nothing else; it appears whole or not at all.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printTypes } from './print-types.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const TARGET = process.argv[2] ?? path('../../dist/client');
/** As deep as the sources are, so that their settings hold there. */
const STAGING = path(`../../dist/client.src-${process.pid}`);
const OUT = path(`../../dist/client.new-${process.pid}`);
const TSC = path('../../node_modules/typescript/bin/tsc');

const { name, version } = JSON.parse(readFileSync(path('../../package.json'), 'utf8'));
const entry = { types: './index.d.ts', default: './index.js' };

try {
  cpSync(path('.'), STAGING, {
    recursive: true,
    filter: (file) => !/(build|print-types)\.ts$|examples$/.test(file),
  });
  writeFileSync(join(STAGING, 'types.ts'), await printTypes());
  execFileSync(process.execPath, [TSC, '-p', STAGING, '--outDir', OUT, '--rootDir', STAGING], {
    stdio: 'inherit',
  });
  // What the compiler does in JavaScript alone.
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

/** `vocabulary-quiz-service/client` is this, in the checkout as in a project that installs it alone. */
function packageOf() {
  return {
    ...{ name, version, type: 'module', sideEffects: false },
    exports: { '.': entry, './client': entry },
    engines: { node: '>=20' },
  };
}
