// Whose password an address gets that was just shown to be somebody's. A stranger may have given one
// before its owner did: a password is confirmed only when nobody else's could be meant. Pure.
// [contract 17]

/** One password that was given for the address, with what came with it. */
export interface Claim {
  id: string;
  name: string;
  image: string | null;
  /** Hashed; equal for equal passwords. */
  password: string;
  browserHash: string;
}

/** What lies under an address that nobody has confirmed yet. */
export interface Unconfirmed {
  /** Oldest first; no two of one password. */
  claims: Claim[];
  /** The password that the account has so far, hashed. */
  password: string | null;
  /** Accounts at Google or GitHub, which haven't confirmed the address either. */
  providerCount: number;
}

export interface OpenedLink {
  /** Which claim it answers; undefined for a link that was asked for by itself. */
  signUpId?: string | undefined;
  /** Of the browser that opened it. */
  browserHash: string | null;
}

export type Verdict =
  /** The account is this claim's. */
  | { kind: 'claim'; claim: Claim }
  /** There is no claim, and nothing to choose between. */
  | { kind: 'as-it-is' }
  /** Nobody knows whose password is whose: none stays. */
  | { kind: 'choose' };

/** @returns what becomes of the account when the link is opened */
export function judge(found: Unconfirmed, link: OpenedLink): Verdict {
  const { claims, password, providerCount } = found;
  const own = claims.findLast(
    ({ id, browserHash }) =>
      browserHash === link.browserHash && (link.signUpId === undefined || id === link.signUpId),
  );
  if (own) return { kind: 'claim', claim: own };
  const passwords = new Set([...claims.map((claim) => claim.password), password ?? []].flat());
  if (passwords.size + providerCount > 1) return { kind: 'choose' };
  return claims[0] ? { kind: 'claim', claim: claims[0] } : { kind: 'as-it-is' };
}

const NO_NAME = 'Player';

/** @returns what to call somebody whose claim is not known: what all say, or nothing in particular */
export function nameOfAll(claims: Claim[]): { name: string; image: null } | undefined {
  const names = [...new Set(claims.map(({ name }) => name))];
  if (names.length === 0) return undefined;
  return { name: names.length === 1 ? (names[0] ?? NO_NAME) : NO_NAME, image: null };
}
