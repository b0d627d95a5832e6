// Whose password a confirmed address gets. [contract 17]
import { verifyPassword } from 'better-auth/crypto';
import { describe, expect, test } from 'vitest';
import { hashForAddress } from '../../src/auth/sign-up/password-hash.ts';
import { type Claim, judge, nameOfAll } from '../../src/auth/sign-up/rules.ts';

const claimOf = (id: string, more: Partial<Claim> = {}): Claim => ({
  id,
  name: `name of ${id}`,
  image: null,
  password: `password of ${id}`,
  browserHash: `browser of ${id}`,
  ...more,
});
const [eve, ada] = [claimOf('eve'), claimOf('ada')];
const nobody = { browserHash: null };

describe('the account', () => {
  test.for([
    [
      'the answered claim, by its browser',
      [eve, ada],
      { signUpId: 'ada', browserHash: ada.browserHash },
      'ada',
    ],
    [
      'nobody’s, by another browser',
      [eve, ada],
      { signUpId: 'ada', browserHash: eve.browserHash },
      'choose',
    ],
    ['nobody’s, without a cookie', [eve, ada], { signUpId: 'ada', browserHash: null }, 'choose'],
    [
      'the browser’s own, by a link of no claim',
      [eve, ada],
      { browserHash: eve.browserHash },
      'eve',
    ],
    [
      'nobody’s, by a link of a claim that is forgotten',
      [eve, ada],
      { signUpId: 'bob', browserHash: ada.browserHash },
      'choose',
    ],
    ['the only one’s, whoever opens it', [ada], nobody, 'ada'],
  ] as const)('is %s', ([, claims, link, expected]) => {
    const verdict = judge({ claims: [...claims], password: null, providerCount: 0 }, link);
    expect(verdict.kind === 'claim' ? verdict.claim.id : verdict.kind).toBe(expected);
  });

  test('stays as it is where nobody gave a password', () => {
    const found = { claims: [], password: null, providerCount: 1 };
    expect(judge(found, nobody)).toEqual({ kind: 'as-it-is' });
  });

  test('is nobody’s where a provider stands beside a password, or an older password beside one', () => {
    const own = { signUpId: 'ada', browserHash: null };
    for (const more of [{ providerCount: 1 }, { password: 'an older one' }])
      expect(judge({ claims: [ada], password: null, providerCount: 0, ...more }, own)).toEqual({
        kind: 'choose',
      });
    const same = { claims: [ada], password: ada.password, providerCount: 0 };
    expect(judge(same, own)).toEqual({ kind: 'claim', claim: ada });
  });
});

test('who is not known is called what all say, or nothing in particular', () => {
  expect(nameOfAll([])).toBeUndefined();
  expect(nameOfAll([ada, claimOf('bob', { name: ada.name })])?.name).toBe(ada.name);
  expect(nameOfAll([ada, eve])?.name).toBe('Player');
});

test('better-auth verifies the hash, which is one for one password and address alone', async () => {
  const hash = (email: string, password: string, secret = 's') =>
    hashForAddress(email, password, secret);
  const first = await hash('a@example.com', 'Ångström');
  expect(await verifyPassword({ hash: first, password: 'Ångström' })).toBe(true);
  expect(await verifyPassword({ hash: first, password: 'another' })).toBe(false);
  expect(await hash('a@example.com', 'A\u030angstro\u0308m')).toBe(first);
  const others = [hash('b@example.com', 'Ångström'), hash('a@example.com', 'Ångström', 't')];
  expect(new Set([first, ...(await Promise.all(others))]).size).toBe(3);
});
