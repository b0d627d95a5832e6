// Compiles the programs of the image, which tsconfig.image.json names: `node src/build.ts`. Their folders in
// dist/service are those of the sources. A process that strips types itself needs about 20 MB more memory.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = resolve(process.argv[2] ?? join(ROOT, 'dist/service'));
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

rmSync(TARGET, { recursive: true, force: true });
execFileSync(process.execPath, [TSC, '-p', 'tsconfig.image.json', '--outDir', TARGET], {
  cwd: ROOT,
  stdio: 'inherit',
});
// The programs read Lua scripts, migrations, words and pages of the documents at run time.
for (const path of ['package.json', 'src', 'prisma'])
  cpSync(join(ROOT, path), join(TARGET, path), {
    recursive: true,
    filter: (file) => !/\.tsx?$|\/src\/web$/.test(file),
  });
