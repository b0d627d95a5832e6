// Makes and reads the token of a confirmation link. [contract 17]
import { createHash } from 'node:crypto';
import { signJWT, verifyJWT } from 'better-auth/crypto';
import { z } from 'zod';

/** The paths under /api/auth that answer a link in a browser that has not signed up. */
export const CONFIRM_PATH = '/verify-email/confirm';
export const CHOOSE_PATH = '/verify-email/choose';
export const FORM_PATH = '/verify-email/form';

/** The token's payload; better-auth adds the expiry. */
const Payload = z.object({
  email: z.email(),
  userId: z.uuid(),
  signUpId: z.uuid().optional(),
  askedBy: z.string().optional(),
  exp: z.number(),
});

/** A link with a valid token. */
export interface Link {
  email: string;
  /** The id of the account that it was sent for. */
  userId: string;
  /** The id of the sign-up that it confirms; a link that was sent again confirms any sign-up of the address. */
  signUpId?: string | undefined;
  /** The hash of the browser that brought the address from a provider which has not verified it. */
  askedBy?: string | undefined;
  /** The hash by which the database stores the link. */
  hash: string;
  expiresAt: Date;
}

/** The longest token that is read, UTF-16 units; the address in it has at most 320. */
export const MAX_TOKEN_LENGTH = 2000;

/** @returns the token of a link that is valid for `seconds` */
export function makeLinkToken(
  link: Pick<Link, 'email' | 'userId' | 'signUpId' | 'askedBy'>,
  secret: string,
  seconds: number,
): Promise<string> {
  return signJWT(link, secret, seconds);
}

/** @returns the link, or null if the token is forged or has expired */
export async function readLink(token: string, secret: string): Promise<Link | null> {
  if (token.length > MAX_TOKEN_LENGTH) return null;
  const { data } = Payload.safeParse(await verifyJWT(token, secret));
  if (!data) return null;
  const { exp, ...link } = data;
  return { ...link, hash: hashOfToken(token), expiresAt: new Date(exp * 1000) };
}

export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
