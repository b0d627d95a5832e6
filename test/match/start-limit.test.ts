// The service limits the games that a user starts in a window. [contract 8]
import { expect, it } from 'vitest';
import { useArena } from '../support/arena.ts';
import { openTab } from '../support/game.ts';
import { gather } from '../support/player.ts';

const STARTS = 3;
const arena = useArena({ env: { RATE_LIMIT_GAME_MAX: `${STARTS}` } });

it('a user who has started RATE_LIMIT_GAME_MAX games in a window is refused with 429 on every replica', async () => {
  const [ada, ben] = await arena.players('Ada', 'Ben');
  await gather([ada], {});
  // The limit counts refused starts too.
  for (let start = 0; start < STARTS; start++)
    expect((await ada.refused({ type: 'lobby:start' })).reason).toBe('NOT_ENOUGH_PLAYERS');
  const refused = await ada.refused({ type: 'lobby:start' });
  expect(refused).toMatchObject({ code: 429, reason: 'RATE_LIMITED' });
  expect((refused as { retryAfterMs?: number }).retryAfterMs).toBeGreaterThan(0);

  const code = await gather([ben], {});
  await ada.http.post(`/api/v1/lobbies/${code}/join`);
  const elsewhere = await openTab(arena, ada, code);
  expect((await elsewhere.refused({ type: 'lobby:start' })).reason).toBe('RATE_LIMITED');
  ben.send({ type: 'lobby:start' });
  await ben.next('game:question');
});
