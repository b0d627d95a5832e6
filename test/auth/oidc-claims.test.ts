// The claims of the house's own identity provider decide which account somebody has, and what is in it. [contract 22]
import { describe, expect, it, test } from 'vitest';
import { accountIdOf, userOfClaims } from '../../src/auth/providers.ts';

const ISSUER = 'https://id.example';

describe('a subject', () => {
  it('of another issuer is somebody else', () => {
    expect(accountIdOf(ISSUER, { sub: '1' })).not.toBe(accountIdOf(`${ISSUER}/b`, { sub: '1' }));
    expect(accountIdOf(ISSUER, { sub: '1' })).toBe(`${ISSUER}#1`);
  });

  it.each([undefined, null, 1, '', 'a'.repeat(256), 'a\0', 'ä', ['1']])('is not %j', (sub) => {
    expect(accountIdOf(ISSUER, { sub })).toBe('');
  });
});

it.each([
  [{ name: 'Ada Lovelace', preferred_username: 'ada' }, 'Ada Lovelace'],
  [{ name: '\u202E', preferred_username: 'ada' }, 'ada'],
  [{ name: { first: 'Ada' }, preferred_username: 7, email: 'a.l@b.example' }, 'a.l'],
  [{ name: 'x://y', email: 'no address' }, 'xy'],
  [{}, 'Player'],
])('a user is named by %j', (claims, name) => {
  expect(userOfClaims(claims).name).toBe(name);
});

test('an address counts as verified only by the value true', () => {
  const verified = (email_verified: unknown, email = 'a@b.example') =>
    userOfClaims({ email, email_verified }).emailVerified;
  expect(verified(true)).toBe(true);
  for (const value of [false, 'true', 1, undefined, null]) expect(verified(value)).toBe(false);
});

test.each(['no address', `${'a'.repeat(250)}@b.example`, 7, null, ['a@b.example']])(
  'an account has no address of %j',
  (email) => {
    expect(userOfClaims({ email, email_verified: true }).email).toBeNull();
  },
);
