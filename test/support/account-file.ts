// The file of accounts that `npm run prove -- --accounts FILE` plays with.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Services } from '../../src/services.ts';
import { createSignedInUser, givePassword } from './users.ts';

/**
 * Creates users and writes how they sign in: by their cookies, and the first by its password if one is given.
 * @returns the path of the file
 */
export async function writeAccounts(
  services: Services,
  folder: string,
  count: number,
  password?: string,
): Promise<string> {
  const users = await Promise.all(Array.from({ length: count }, () => createSignedInUser(services)));
  const lines = users.map(({ cookie }) => cookie);
  const [{ id, email }] = users as [(typeof users)[number]];
  if (password !== undefined) {
    await givePassword(services, id, password);
    lines[0] = `${email} ${password}`;
  }
  const file = join(folder, `accounts-${id}.txt`);
  writeFileSync(file, `# the players\n${lines.join('\n')}\n`);
  return file;
}
