// The pure rules of lobbies: their codes, and what members see of them.
import type { Lobby, Roster } from './schema.ts';

/** Crockford's Base32 has no letters that look alike: https://www.crockford.com/base32.html */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
export const CODE_LENGTH = 6;
/** @returns the length of a code with three spaces or hyphens a character, in UTF-16 units; a longer text is none */
export const writtenCodeMax = (length = CODE_LENGTH) => 4 * length;
/** The flag `u` is left out: with it, letters of other scripts would match by their case folding. */
const WRITTEN = new RegExp(`^[${ALPHABET}ILO]*$`, 'i');

/** @param bytes one for each character; 256 is a multiple of 32, so that all characters are equally likely */
export function codeFrom(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET[byte % 32]).join('');
}

/** Parses a code in any case, with `O` for `0`, `I` and `L` for `1`, spaces and hyphens. [contract 4] */
export function parseCode(text: string, length = CODE_LENGTH): string | null {
  if (text.length > writtenCodeMax(length)) return null;
  const written = text.replace(/[\s-]/g, '');
  if (written.length !== length || !WRITTEN.test(written)) return null;
  return written.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
}

/** Lobbies with a greater capacity are compact, whatever their settings say. The schema names the number. [contract 19] */
export const COMPACT_ABOVE = 200;

/** @returns whether messages name the host and the receiver alone, instead of everybody. [contract 19] */
export function isCompact({ settings, capacity }: Pick<Roster, 'settings' | 'capacity'>): boolean {
  return settings.compact || capacity > COMPACT_ABOVE;
}

/** What an event of a compact lobby says of it. [contract 19] */
export interface CompactState {
  /** The roster, whose players are the host, and who presents the game without being host any more. */
  lobby: Roster;
  playerCount: number;
  connectedCount: number;
  /** 1 or 0. */
  hostConnected: number;
}

/** @returns the lobby as a connected player sees it, who must not be in the state */
export function compactView(
  { lobby, playerCount, connectedCount, hostConnected }: CompactState,
  { userId, userName: name }: { userId: string; userName: string },
): Lobby {
  const { kicked: _kicked, players, ...seen } = lobby;
  const host = players.filter(({ isHost }) => isHost);
  const shown = host.map((player) => ({ ...player, connected: hostConnected === 1 }));
  const plays = players.find((player) => player.userId === userId)?.plays ?? true;
  if (userId !== lobby.hostId) shown.push({ userId, name, isHost: false, plays, connected: true });
  return { ...seen, compact: true, playerCount, connectedCount, players: shown };
}

export function viewsOf(roster: Roster, connected: Iterable<string>): (userId: string) => Lobby {
  const online = new Set(connected);
  const { kicked: _kicked, players, ...seen } = roster;
  const listed = players.map((player) => ({ ...player, connected: online.has(player.userId) }));
  const counts = { playerCount: listed.length, connectedCount: listed.filter((player) => player.connected).length };
  if (!isCompact(roster)) {
    const lobby = { ...seen, compact: false, ...counts, players: listed };
    return () => lobby;
  }
  const places = new Map(listed.map(({ userId }, place) => [userId, place]));
  return (userId) => {
    const shown = new Set([roster.hostId, userId].map((id) => places.get(id) ?? -1));
    const named = [...shown].sort((a, b) => a - b).flatMap((place) => listed[place] ?? []);
    return { ...seen, compact: true, ...counts, players: named };
  };
}

export function isMember(roster: Roster, userId: string): boolean {
  return roster.players.some((player) => player.userId === userId);
}
