// Creates the commitments of questions. A question is sent with a commitment to its right answer, and its
// judgement with the nonce that opens the commitment, so that a client can check that the right answer did
// not change. [contract 12]
import { hash, randomFillSync } from 'node:crypto';

const NONCE_BYTES = 32;
/** The number of bytes that one call draws, since a call for each nonce would cost more than the bytes. */
const BLOCK_BYTES = 64 * NONCE_BYTES;

const block = Buffer.alloc(BLOCK_BYTES);
let used = BLOCK_BYTES;

/** @returns 32 random bytes from a cryptographic source, as base64url */
export function newNonce(): string {
  if (used === BLOCK_BYTES) {
    randomFillSync(block);
    used = 0;
  }
  const nonce = block.toString('base64url', used, used + NONCE_BYTES);
  // The bytes are cleared, so that the block never contains a nonce that is in use.
  block.fill(0, used, used + NONCE_BYTES);
  used += NONCE_BYTES;
  return nonce;
}

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

/**
 * @param right the id of the right option, or the right text
 * @returns the SHA-256 of question, right answer and nonce, as 43 characters of base64url
 */
export function commitmentOf(questionId: string, right: number | string, nonce: string): string {
  return hash('sha256', `${questionId}:${right}:${nonce}`, 'base64url');
}
