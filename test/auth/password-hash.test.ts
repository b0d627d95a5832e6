// How passwords are hashed. [contract 17]
import { expect, test } from 'vitest';
import { createPasswordHash } from '../../src/auth/password-hash.ts';

const { hash, verify, isCurrent, hashForAddress } = createPasswordHash(1024);

test('a hash is a PHC string, which names its cost', async () => {
  expect(await hash('Ångström')).toMatch(/^\$scrypt\$ln=10,r=16,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{86}$/);
});

test('a password, of which two hashes differ, is verified in each of its Unicode forms', async () => {
  const stored = await hash('Ångström');
  expect(await hash('Ångström')).not.toBe(stored);
  expect(await verify({ hash: stored, password: 'A\u030angstro\u0308m' })).toBe(true);
});

test.for([
  '',
  'salt:00',
  `$scrypt$ln=99,r=16,p=1$${'A'.repeat(22)}$${'A'.repeat(86)}`,
  `$scrypt$ln=0,r=16,p=1$${'A'.repeat(22)}$${'A'.repeat(86)}`,
  `$scrypt$ln=10,r=16,p=1$${'A'.repeat(22)}$`,
])('no password has the hash %j', async (broken) => {
  expect(await verify({ hash: broken, password: '' })).toBe(false);
  expect(isCurrent(broken)).toBe(false);
});

test('a hash of another cost is verified, and counts as current unless it is cheaper', async () => {
  const [cheap, dear] = [createPasswordHash(16), createPasswordHash(2048)];
  for (const other of [cheap, dear]) {
    const stored = await other.hash('Ångström');
    expect(await verify({ hash: stored, password: 'Ångström' })).toBe(true);
    expect(await verify({ hash: stored, password: 'another' })).toBe(false);
  }
  expect([isCurrent(await cheap.hash('a')), isCurrent(await dear.hash('a'))]).toEqual([false, true]);
});

test('the hash of a password at sign-up is verified, and differs for another password or address', async () => {
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
