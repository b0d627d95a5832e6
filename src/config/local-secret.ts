// The secret that signs sessions when none is configured. It is created at the first use and kept in DATA_DIR.
import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All processes of this machine share one secret, so that a restart signs nobody out. Production requires a configured
 * one.
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
    // An empty file counts as none.
    if (known === '') rmSync(file, { force: true });
    // The link makes the complete file appear at once, so that another process never reads a part of the secret.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return read(file) as string;
}

/** @returns the content of the file, or null when it does not exist */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
