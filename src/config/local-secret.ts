// The secret that signs sessions where nobody has set one: made at first use, kept in DATA_DIR.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Outside production every process of this machine shares one secret: a restart signs nobody out.
 * @returns the content of `DATA_DIR/secret`, which only this user can read
 */
export function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  const known = read(file);
  if (known) return known;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  try {
    // One that is empty is none.
    if (known === '') rmSync(file, { force: true });
    // Whole or not at all: another process that starts now never reads half a secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(file) as string;
}

/** @returns null where there is none */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
