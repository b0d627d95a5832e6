// The pure rules of lobbies: their codes, and what members see of them.
import type { Lobby, Roster } from './schema.ts';

/** Crockford's Base32 has no letters that look alike: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 6;
/** The length of a code with three spaces or hyphens a character, in UTF-16 units; a longer text is none. */
export const WRITTEN_CODE_MAX = 4 * CODE_LENGTH;
/** The flag `u` is left out: with it, letters of other scripts would match by their case folding. */
const WRITTEN = new RegExp(`^[${ALPHABET}ILO]{${CODE_LENGTH}}$`, 'i');

/**
 * @param bytes at least six, from a cryptographic source; 256 is a multiple of 32, so that all characters are
 *   equally likely
 * @returns a lobby code
 */
export function codeFrom(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join('');
}

/**
 * Parses a code in any case, with `O` for `0`, `I` and `L` for `1`, spaces and hyphens. [contract 4]
 * @returns the code; null where the text is none
 */
export function parseCode(text: string): string | null {
  if (text.length > WRITTEN_CODE_MAX) return null;
  const written = text.replace(/[\s-]/g, '');
  if (!WRITTEN.test(written)) return null;
  return written.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
}

export function viewOf(roster: Roster, connected: Iterable<string>): Lobby {
  const online = new Set(connected);
  const players = roster.players.map((player) => ({
    ...player,
    connected: online.has(player.userId),
  }));
  const { kicked: _kicked, ...seen } = roster;
  return { ...seen, players };
}

export function isMember(roster: Roster, userId: string): boolean {
  return roster.players.some((player) => player.userId === userId);
}
