// The small pure parts of the page.
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/api-error.ts';
import type { Lobby } from '../../src/lobby/schema.ts';
import type { Deck } from '../../src/vocabulary/schema.ts';
import { nameDevice } from '../../src/web/account/device-name.ts';
import { extractCode, PAGE_PATHS, routeOf, safeNext } from '../../src/web/frame/routes.ts';
import { remainingMs, remainingSeconds, startCountdown } from '../../src/web/game/clock.ts';
import { nextHostAction } from '../../src/web/game/game-state.ts';
import { leadingAndOwn, pointsBehind, rankScores } from '../../src/web/game/ranking.ts';
import { endOfDayIn, localTimeOf, momentOf } from '../../src/web/homework/local-time.ts';
import { choicesWith, roundsFor, unconfirmedChoices } from '../../src/web/lobby/lobby-choices.ts';
import { roundOf } from './questions.ts';

describe('the countdown', () => {
  const countdown = startCountdown({ remainingMs: 4200, durationMs: 15_000 }, 100_000);

  it('begins with the remaining time that the service sent, ends at zero, and never exceeds the round’s duration', () => {
    const left = [100_000, 103_000, 200_000, 0].map((at) => remainingMs(countdown, at));
    expect(left).toEqual([4200, 1200, 0, 15_000]);
  });

  it('shows whole seconds, rounded up', () => {
    expect([100_000, 103_300, 104_199, 104_200].map((at) => remainingSeconds(countdown, at))).toEqual([5, 1, 1, 0]);
  });
});

describe('the next step of a presenting host', () => {
  const result = roundOf();

  it.each([
    ['waiting', null, 'start'],
    ['round', null, 'skip'],
    ['intermission', result, 'next'],
    // Without intermissions, the next round is open while the result is shown.
    ['round', result, 'pass'],
    ['finished', result, 'pass'],
    ['finished', null, 'again'],
    ['judging', null, null],
  ] as const)('in the phase %s with the result %o is %s', (phase, shown, step) =>
    expect(nextHostAction(phase, shown)).toBe(step),
  );
});

describe('the ranking', () => {
  const all = rankScores(
    Array.from({ length: 30 }, (_, index) => ({ userId: `u${index}`, name: `Player ${index}`, score: 100 - index })),
  );
  const shown = (ownId: string) => leadingAndOwn(all, ownId).map(({ place }) => place);

  it('shows the leaders, and the user with both neighbours', () => {
    expect(shown('u19')).toEqual([1, 2, 3, 4, 5, 19, 20, 21]);
    expect(shown('u29')).toEqual([1, 2, 3, 4, 5, 29, 30]);
    expect(shown('u1')).toEqual([1, 2, 3, 4, 5]);
    expect(shown('elsewhere')).toEqual([1, 2, 3, 4, 5]);
    expect(leadingAndOwn(all.slice(0, 6), 'u0')).toHaveLength(6);
  });

  it('shows the points to the next place', () => {
    expect(['u19', 'u0', 'elsewhere'].map((id) => pointsBehind(all, id))).toEqual([1, null, null]);
  });
});

it.each([
  [0, 'OFFLINE', true],
  [503, 'UNAVAILABLE', true],
  // A retry would succeed, and hide the broken commitment.
  [0, 'COMMITMENT_BROKEN', false],
  [409, 'LOBBY_FULL', false],
])('a failure may be temporary: %i %s, %s', (status, code, isPassing) => {
  expect(new ApiError(status, code, '').isPassing).toBe(isPassing);
});

const DECK: Deck = { sourceLanguage: 'en', targetLanguage: 'it', pos: 'noun', difficulty: 'A1' };

describe('the settings of a lobby', () => {
  it('are offered including the current one', () => {
    expect(choicesWith([3, 5, 10], 3)).toEqual([3, 5, 10]);
    expect(choicesWith([3, 5, 10], 7)).toEqual([3, 5, 7, 10]);
  });

  it.each([
    ['a list', { listId: 'x' }, 24, 'all', 24],
    ['a list with more words than a game has rounds', { listId: 'x' }, 51, 'all', 10],
    ['a deck', DECK, 40, 'all', 10],
    ['few words', DECK, 6, 'all', 6],
    ['few words', { listId: 'x' }, 6, 20, 6],
    ['many words', { listId: 'x' }, 90, 20, 20],
  ] as const)('of %s: %o, %i words, %s: %i rounds', (_of, selection, questions, wanted, rounds) => {
    expect(roundsFor(wanted, { selection, questions, direction: {} })).toBe(rounds);
  });

  it('are shown as chosen until the service confirms them', () => {
    const lobby = { capacity: 8, settings: { rounds: 3, scoring: 'speed' } } as Lobby;
    const chosen = { rounds: 5, capacity: 20 };
    expect(unconfirmedChoices({ ...chosen, scoring: 'speed' }, lobby)).toEqual(chosen);
  });
});

it('a time of homework is written and read in the time zone of the user', () => {
  expect(localTimeOf(momentOf('2026-12-01T22:30') ?? '')).toBe('2026-12-01T22:30');
  expect(momentOf('')).toBeNull();
  const nowMs = new Date('2026-12-01T08:00').getTime();
  expect(endOfDayIn(7, nowMs)).toBe('2026-12-08T23:59');
});

describe('a device', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge', 'Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari', 'iPhone'],
    ['Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36', 'Chrome', 'Android'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0', 'Firefox', 'Linux'],
  ])('is named after its User-Agent: %s', (userAgent, browser, system) => {
    expect(nameDevice(userAgent)).toEqual({ browser, system });
  });

  it('without a known browser has no name', () => {
    expect(nameDevice(null)).toEqual({});
    expect(nameDevice('curl/8')).toEqual({});
  });
});

describe('the paths', () => {
  it('lead to their screens', () => {
    expect(routeOf('/')).toEqual({ name: 'home' });
    expect(routeOf('/lobby/7kq2zd')).toEqual({ name: 'lobby', code: '7kq2zd' });
    expect(routeOf('/lobby/7kq2zd/screen')).toEqual({ name: 'screen', code: '7kq2zd' });
    expect(routeOf('/lobby/7kq2zd/remote')).toEqual({ name: 'remote', code: '7kq2zd' });
    expect(routeOf('/homework/7KQ2ZD9M')).toEqual({ name: 'assignment', code: '7KQ2ZD9M' });
    for (const path of ['/lists/x/remote', '/lobby/7kq2zd/else', '/lobby/', '/constructor'])
      expect(routeOf(path)).toEqual({ name: 'unknown' });
    const plain = PAGE_PATHS.filter((path) => !path.includes(':'));
    expect(plain.map((path) => routeOf(path).name)).not.toContain('unknown');
  });

  const elsewhere = ['https://evil.example', '//evil.example', '/lobby/../../x', '/docs', null];
  it.each(elsewhere)('after a sign-in, %s leads to the start page instead of another site', (next) => {
    expect(safeNext(next)).toBe('/');
  });

  it('a link to a lobby is accepted in place of its code', () => {
    expect(extractCode('7KQ2ZD')).toBe('7KQ2ZD');
    expect(extractCode('https://quiz.example/homework/7KQ2ZD9M')).toBe('7KQ2ZD9M');
    expect(extractCode('look: https://quiz.example/lobby/7KQ2ZD?x=1')).toBe('7KQ2ZD');
  });
});
