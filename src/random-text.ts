// Random texts from a cryptographic source. One call draws the bytes of many texts, since a call for each would cost more
// than the bytes: a connection's id alone takes 13 µs so.
import { randomFillSync } from 'node:crypto';

const block = Buffer.alloc(2048);
let used = block.length;

/** @param bytes at most 2,048 @returns so many random bytes, as base64url */
export function randomText(bytes: number): string {
  if (used + bytes > block.length) {
    randomFillSync(block);
    used = 0;
  }
  const text = block.toString('base64url', used, used + bytes);
  // The bytes are cleared, so that the block never contains a text that is in use.
  block.fill(0, used, used + bytes);
  used += bytes;
  return text;
}
