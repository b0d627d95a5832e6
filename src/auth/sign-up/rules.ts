// Decides which password an address gets when its link is opened. A stranger may have signed up with the address, so
// a password is confirmed only for somebody who proves that they gave it. It is pure. [contract 17]

/** A claim: one sign-up for the address, with its password and name. */
export interface Claim {
  id: string;
  name: string;
  image: string | null;
  /** The password's hash; equal for equal passwords. */
  password: string;
  browserHash: string;
}

/** An answer to a link: it proves who has signed up, or sets a new password. */
export type Answer =
  /** The hash of the browser's cookie; null without one. */
  | { kind: 'browser'; hash: string | null }
  /** The given password, hashed as claims are, once with each configured secret. */
  | { kind: 'password'; hashes: readonly string[] }
  /** A new password's hash. All passwords and names of claims are dropped then. */
  | { kind: 'choice'; hash: string; name?: string | undefined };

/**
 * @param signUpId the claim that the link is for; undefined means any claim of the address
 * @returns the claim that the answer proves, the newest of several, or undefined
 */
export function claimOf(claims: Claim[], signUpId: string | undefined, answer: Answer): Claim | undefined {
  if (answer.kind === 'choice') return undefined;
  return claims.findLast(
    ({ id, password, browserHash }) =>
      (signUpId === undefined || id === signUpId) &&
      (answer.kind === 'browser' ? browserHash === answer.hash : answer.hashes.includes(password)),
  );
}

/**
 * @param name the name that the owner has given, if any
 * @returns the profile of an owner who has chosen a password by a link. Nothing of it comes from a claim, which may be
 * a stranger's
 */
export function newProfile(name = 'Player'): { name: string; image: null } {
  return { name, image: null };
}
