// How lobby codes are generated and read, and what members see of a lobby. [contract 4]
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMPACT_ABOVE, codeFrom, parseCode, viewsOf } from '../../src/lobby/rules.ts';
import { LOBBY_EXAMPLE, Lobby, type Roster } from '../../src/lobby/schema.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RUNS = { numRuns: 1000, seed: 20_261_121 };

const GAPS = fc.constantFrom('', '', ' ', '-', ' - ');

it('a new code has a character of Crockford’s Base32 for each byte, in each position all 32 with the same probability', () => {
  // Of the values of a byte, the same number maps to each character.
  for (let place = 0; place < 16; place++) {
    const counts = new Map<string, number>();
    for (let value = 0; value < 256; value++) {
      const character = codeFrom(new Uint8Array(16).fill(value, place, place + 1))[place] ?? '';
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    expect([...counts.keys()].toSorted().join('')).toBe(ALPHABET);
    expect(new Set(counts.values())).toEqual(new Set([8]));
  }
});

describe('an entered code', () => {
  /** @returns one of the ways in which people write a character of a code */
  const spellings = (character: string): string[] => {
    const alike = { '0': ['O', 'o'], '1': ['I', 'i', 'L', 'l'] }[character] ?? [];
    return [character, character.toLowerCase(), ...alike];
  };

  it('may have either case, O for 0, I and L for 1, and spaces and hyphens anywhere', () => {
    const characters = fc
      .constantFrom(...ALPHABET)
      .chain((character) => fc.tuple(fc.constant(character), fc.constantFrom(...spellings(character)), GAPS));
    const written = fc.tuple(fc.constantFrom('', ' '), fc.array(characters, { minLength: 6, maxLength: 6 }));
    fc.assert(
      fc.property(written, ([before, parts]) => {
        const code = parts.map(([character]) => character).join('');
        expect(parseCode(before + parts.map(([, spelling, gap]) => spelling + gap).join(''))).toBe(code);
      }),
      RUNS,
    );
  });

  it.each([
    ['with another script’s digit', '7KQ2Z٣'],
    ['with a letter that only becomes one in upper case', '7KQ2ſD'],
    ['with a ligature', '7KQ2ﬆ'],
    ['with a dotless i', '7KQ2Zı'],
    ['with a line that follows', '7KQ2ZD\n7KQ2ZD'],
  ])('cannot be one %s', (_, text) => {
    expect(parseCode(text)).toBeNull();
  });

  it('is read as six characters of the alphabet, or as none', () => {
    const letters = fc.constantFrom(...`${ALPHABET}abcdxyzOoIiLlUu -ß`);
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(letters, { minLength: 5, maxLength: 9 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const code = parseCode(text);
        const kept = [...text].filter((character) => !/[\s-]/.test(character));
        const isPossible = kept.length === 6 && kept.every((c) => /^[0-9A-TV-Z]$/i.test(c));
        expect(code !== null).toBe(isPossible);
        if (code) expect([...code].every((character) => ALPHABET.includes(character))).toBe(true);
      }),
      RUNS,
    );
  });
});

describe('the state of a lobby', () => {
  const ROSTERS: fc.Arbitrary<Roster> = fc
    .uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 })
    .map((userIds) => ({
      ...LOBBY_EXAMPLE,
      hostId: userIds[0] as string,
      players: userIds.map((userId, index) => ({ userId, name: 'Ada', isHost: index === 0, plays: true })),
    }));

  it.each([
    ['says for each player, in the order of joining, whether a socket is connected', false, COMPACT_ABOVE],
    ['names only the host and the receiver if it is set to be compact, and counts all [contract 19]', true, 2],
    ['does the same above a capacity', false, COMPACT_ABOVE + 1],
  ])('%s', (_what, isSet, capacity) => {
    fc.assert(
      fc.property(ROSTERS, fc.array(fc.nat({ max: 7 })), (example, present) => {
        const roster = { ...example, capacity, settings: { ...example.settings, compact: isSet } };
        const compact = isSet || capacity > COMPACT_ABOVE;
        const ids = roster.players.map(({ userId }) => userId);
        const connected = present.flatMap((index) => ids[index] ?? []);
        const views = viewsOf(roster, [...connected, 'a stranger']);
        for (const id of [...ids, 'a stranger']) {
          expect(views(id)).toEqual({
            ...roster,
            compact,
            playerCount: ids.length,
            connectedCount: new Set(connected).size,
            players: roster.players
              .filter(({ userId, isHost }) => !compact || isHost || userId === id)
              .map((player) => ({ ...player, connected: connected.includes(player.userId) })),
          });
        }
        expect(Lobby.parse(views(roster.hostId))).toEqual(views(roster.hostId));
      }),
      RUNS,
    );
  });

  it('is compact above the capacity that its description names', () => {
    expect(Lobby.shape.compact.description).toContain(`over ${COMPACT_ABOVE}.`);
  });
});
