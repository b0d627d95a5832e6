// Generates the Prisma client. `prisma generate` downloads the schema engine, which it doesn't use. With the
// name of any existing file as the engine it runs offline.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const cli = createRequire(import.meta.url).resolve('prisma/build/index.js');
const result = spawnSync(process.execPath, [cli, 'generate'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: {
    ...process.env,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
  },
  encoding: 'utf8',
});
if (result.status !== 0) {
  console.error(result.stdout, result.stderr);
  process.exit(result.status ?? 1);
}
console.log('Generated the Prisma client.');
