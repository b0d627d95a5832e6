// Creates the commitments of questions. A question is sent with a commitment to its right answer, and its judgement
// with the nonce that opens it, so that a client can check that the right answer did not change. [contract 12]
import { hash } from 'node:crypto';
import { randomText } from '../random-text.ts';

/** @returns 32 random bytes from a cryptographic source, as base64url */
export const newNonce = () => randomText(32);

/**
 * SHA-512/256 hides half of its state, so that no hash tells those of longer texts. An HMAC takes an object and five times
 * as long.
 * @param secret a nonce that no client gets to know
 * @returns 32 bytes, as base64url, that can't be told from random ones without the secret
 */
export function derive(secret: string, purpose: string): string {
  return hash('sha512-256', `${secret} ${purpose}`, 'base64url');
}

/** @returns the nonce of one of many questions, which needn't be stored beside the secret of all */
export function nonceOf(secret: string, questionId: string): string {
  return derive(secret, `nonce of ${questionId}`);
}

/** @param right the id of the right option, or the right text @returns a SHA-256, as 43 characters of base64url */
export function commitmentOf(questionId: string, right: number | string, nonce: string): string {
  return hash('sha256', `${questionId}:${right}:${nonce}`, 'base64url');
}
