// Whose password a confirmed email address gets. [contract 17]
import { describe, expect, test } from 'vitest';
import { type Claim, claimOf } from '../../src/auth/sign-up/confirm.ts';

const newClaim = (id: string, more: Partial<Claim> = {}): Claim => ({
  id,
  name: `name of ${id}`,
  image: null,
  password: `password of ${id}`,
  browserHash: `browser of ${id}`,
  language: null,
  ...more,
});
const [eve, ada] = [newClaim('eve'), newClaim('ada')];
const browser = (hash: string | null) => ({ kind: 'browser', hash }) as const;
const password = (hash: string) => ({ kind: 'password', hashes: [hash] }) as const;

describe('the sign-up that an answer proves to be the user’s own', () => {
  test.for([
    ['the answered one, if its browser answers', 'ada', browser(ada.browserHash), 'ada'],
    ['the answered one, if its password is given', 'ada', password(ada.password), 'ada'],
    ['none, if the browser of another sign-up answers', 'ada', browser(eve.browserHash), undefined],
    ['none, if the password of another is given', 'ada', password(eve.password), undefined],
    ['none, if there is no cookie', 'ada', browser(null), undefined],
    ['that of the browser, if the link was sent again', undefined, browser(eve.browserHash), 'eve'],
    ['that of the password, if the link was sent again', undefined, password(ada.password), 'ada'],
    ['none, if the sign-up of the link is no longer stored', 'bob', browser(ada.browserHash), undefined],
    ['none, if a new password is chosen', 'ada', { kind: 'choice', hash: ada.password } as const, undefined],
  ] as const)('is %s', ([, signUpId, answer, expected]) => {
    expect(claimOf([eve, ada], signUpId, answer)?.id).toBe(expected);
  });

  test('is the newest one of a browser', () => {
    const newer = newClaim('newer', { browserHash: ada.browserHash });
    expect(claimOf([ada, newer, eve], undefined, browser(ada.browserHash))?.id).toBe('newer');
  });
});
