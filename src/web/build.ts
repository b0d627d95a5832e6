// Builds the page into dist/web: `node src/web/build.ts`, with `--if-stale` only when something has
// changed since. The page appears there whole or not at all, also when two builds run at once.
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

const TARGET = path('../../dist/web');
/** All of it: the page also uses rules and types of the service. */
const SOURCES = path('..');

if (!process.argv.includes('--if-stale') || isStale()) await buildPage();

async function buildPage(): Promise<void> {
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
  return sources.some(
    (entry) => entry.isFile() && changedAtMs(join(entry.parentPath, entry.name)) > builtAtMs,
  );
}

/** @returns when a file was last changed; long ago when it isn't there */
function changedAtMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
