// How passwords are hashed. [contract 17]
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { createPasswordHash } from '../../src/auth/password-hash.ts';
import { variables } from '../../src/config/variables.ts';

const DEFAULT_COST = variables.shape.PASSWORD_HASH_COST.parse(undefined);
const { hash, verify, hashForAddress } = createPasswordHash(DEFAULT_COST);

test('better-auth verifies the service’s hashes of the default cost, and the service verifies those of better-auth', async () => {
  const [ours, theirs] = [await hash('Ångström'), await hashPassword('Ångström')];
  expect(await verifyPassword({ hash: ours, password: 'Ångström' })).toBe(true);
  expect(await verify({ hash: theirs, password: 'A\u030angstro\u0308m' })).toBe(true);
  expect(await verify({ hash: theirs, password: 'another' })).toBe(false);
});

test('two hashes of one password differ', async () => {
  expect(await hash('Ångström')).not.toBe(await hash('Ångström'));
});

test.for(['', ':', 'salt', 'salt:', 'salt:00'])('no password has the hash %j', async (broken) => {
  expect(await verify({ hash: broken, password: '' })).toBe(false);
});

test('a hash of another cost is not verified', async () => {
  const cheap = await createPasswordHash(16).hash('Ångström');
  expect(await verify({ hash: cheap, password: 'Ångström' })).toBe(false);
});

describe('the hash of a password at sign-up', () => {
  test('is verified, and differs for another password or address', async () => {
    const first = await hashForAddress('a@example.com', 'Ångström', 's');
    expect(await verify({ hash: first, password: 'Ångström' })).toBe(true);
    expect(await verify({ hash: first, password: 'another' })).toBe(false);
    expect(await hashForAddress('a@example.com', 'A\u030angstro\u0308m', 's')).toBe(first);
    const others = await Promise.all([
      hashForAddress('b@example.com', 'Ångström', 's'),
      hashForAddress('a@example.com', 'Ångström', 't'),
    ]);
    expect(new Set([first, ...others]).size).toBe(3);
  });
});
