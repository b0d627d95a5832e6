// Copies Scalar's script from its package to dist/docs and compresses it, so that the running service does not need the
// package. With `--if-stale` it does so only when another version is installed than the copied one.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TARGET = fileURLToPath(new URL('../../dist/docs', import.meta.url));
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
const { version } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'));
const stamp = join(TARGET, `scalar-${version}`);

if (!process.argv.includes('--if-stale') || !existsSync(stamp)) await buildDocs();

async function buildDocs(): Promise<void> {
  const { default: Fastify } = await import('fastify');
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = Fastify();
  await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } });
  const { body: script } = await app.inject('/docs/js/scalar.js');
  await app.close();
  const staging = `${TARGET}.new-${process.pid}`;
  try {
    mkdirSync(staging, { recursive: true });
    writeFileSync(join(staging, 'scalar.js'), script);
    writeFileSync(join(staging, 'scalar.js.br'), brotliCompressSync(script, QUALITY));
    writeFileSync(join(staging, 'scalar.js.gz'), gzipSync(script));
    writeFileSync(join(staging, `scalar-${version}`), '');
    rmSync(TARGET, { recursive: true, force: true });
    renameSync(staging, TARGET);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
