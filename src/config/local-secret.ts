// The secret that signs sessions when none is configured. It is created at the first use and kept in DATA_DIR.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * All processes of this machine share one secret, so that a restart signs nobody out. Production requires a configured
 * one.
 * @returns the content of `DATA_DIR/secret`, which only this user can read
 * @throws Error for an empty file, which a full disk leaves
 */
export function localSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret === '') throw new Error(`${file} is empty: remove it`);
  return secret;
}
