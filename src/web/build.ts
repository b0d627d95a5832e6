// Builds the page into dist/web: `node src/web/build.ts`, with `--if-stale` only if a source is newer than
// the last build. The folder is replaced as a whole, so that two builds at once leave no mixture.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const TARGET = path('../../dist/web');
/** All of src, since the page also imports rules and types of the service. */
const SOURCES = path('..');

if (!process.argv.includes('--if-stale') || isStale()) await buildPage();

async function buildPage(): Promise<void> {
  // Vite builds the page of a developer, which is larger, where the environment has any other value.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const staging = `${TARGET}.new-${process.pid}`;
  const outgoing = `${TARGET}.old-${process.pid}`;
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true });
  try {
    const configFile = path('vite.config.ts');
    await build({ configFile, logLevel: 'warn', build: { outDir: staging } });
    moveAside(outgoing);
    renameSync(staging, TARGET);
  } finally {
    remove(staging);
    remove(outgoing);
  }
}

function moveAside(folder: string): void {
  try {
    renameSync(TARGET, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isStale(): boolean {
  const builtAtMs = changedAtMs(join(TARGET, 'index.html'));
  const sources = readdirSync(SOURCES, { recursive: true, withFileTypes: true });
  return sources.some((entry) => entry.isFile() && changedAtMs(join(entry.parentPath, entry.name)) > builtAtMs);
}

/** @returns when a file was last changed, in ms since the epoch; 0 if it does not exist */
function changedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
