// Codes and views of lobbies: pure.
import type { Lobby, Roster } from './schema.ts';

/** Crockford's Base32: no letter that is read as another. https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 6;
/** Without the flag `u`, no letter of another script counts as one of these in another case. */
const WRITTEN = new RegExp(`^[${ALPHABET}ILO]{${CODE_LENGTH}}$`, 'i');

/**
 * @param bytes at least six, from a cryptographic source; 256 is a multiple of 32, so that each
 * character is as likely as any other
 * @returns a lobby code
 */
export function codeFrom(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, CODE_LENGTH), (byte) => ALPHABET[byte % 32]).join('');
}

/**
 * Reads a code as people write it: in any case, `O` for `0`, `I` and `L` for `1`, with spaces and
 * hyphens. [contract 4]
 * @returns the code, or null when it cannot be one
 */
export function parseCode(text: string): string | null {
  const written = text.replace(/[\s-]/g, '');
  if (!WRITTEN.test(written)) return null;
  return written.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** @returns the lobby as its members see it. */
export function viewOf(roster: Roster, connected: Iterable<string>): Lobby {
  const online = new Set(connected);
  const players = roster.players.map((player) => ({
    ...player,
    connected: online.has(player.userId),
  }));
  const { kicked: _kicked, ...seen } = roster;
  return { ...seen, players };
}

/** @returns whether the user belongs to the lobby. */
export function isMember(roster: Roster, userId: string): boolean {
  return roster.players.some((player) => player.userId === userId);
}
