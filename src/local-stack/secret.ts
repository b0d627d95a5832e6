// The key that signs sessions on this machine, made once, so that a restart signs nobody out.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @returns the content of `DATA_DIR/secret`, which only this user can read. */
export function ensureSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  const known = read(file);
  if (known) return known;
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    rmSync(file, { force: true });
    // Whole or not at all: a process that reads it meanwhile never finds half a secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}
