// What a client gets that comes back to a running game. Resuming by numbers: lost-events.test.ts. [contract 5, 5.8, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { connectedUsers, PRESENCE_TTL_MS } from '../../src/lobby/presence.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { lastOf, openLobby, startGame } from '../support/game.ts';
import type { Player } from '../support/player.ts';

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

/** The error of a replica's estimate of Redis' time, in ms. A larger one fails the test. */
const TOLERANCE_MS = 300;

it('remainingMs is that of the moment of sending in an event, a snapshot, the reply to game:ready and a replay', async () => {
  const { ada, ben, code } = await openLobby(arena);
  /** Sends a message, and expects a `remainingMs` that was right at a moment between it and its effect. */
  const expectAfter = async (player: Player, message: object) => {
    const sentMs = Date.now();
    const { remainingMs, deadline } = await ben.nextAfter(() => player.send(message), 'game:question');
    const readMs = Date.now();
    expect(remainingMs).toBeLessThanOrEqual(Date.parse(deadline) - sentMs + TOLERANCE_MS);
    expect(remainingMs).toBeGreaterThanOrEqual(Date.parse(deadline) - readMs - TOLERANCE_MS);
  };
  await expectAfter(ada, { type: 'lobby:start' });
  const since = ben.lastSeq() - 1;
  // A value that was not computed anew would exceed the tolerance.
  await sleep(3000);
  await expectAfter(ben, { type: 'game:ready' });
  await expectAfter(ben, { type: 'lobby:join', code });
  ben.drop();
  await ben.connect();
  await expectAfter(ben, { type: 'lobby:join', code, since });
});

it('a member whose return to a running game fails does not count as connected', async () => {
  const { ada, ben, code, lobbyId } = await startGame(arena);
  const { redis } = arena.services;
  const [, log] = lobbyKeys(lobbyId);
  const connected = () => connectedUsers(arena.services, lobbyId);
  const last = lastOf(ben);
  ben.drop();
  await eventually(async () => expect(await connected()).toEqual(new Set([ada.user.id])));
  // A replay can't be read from a log that is a text.
  await redis.rename(log, `${log}:kept`);
  await redis.set(log, 'no log');
  await ben.connect();
  expect(await ben.refused({ type: 'lobby:join', code, ...last })).toMatchObject({ code: 500 });
  // The entry of a socket that nobody renews would last for the whole time.
  await eventually(async () => expect(await connected()).toEqual(new Set([ada.user.id])), {
    timeoutMs: PRESENCE_TTL_MS / 2,
  });
  await redis.rename(`${log}:kept`, log);
  await ben.acked({ type: 'lobby:join', code, ...last });
  expect(await connected()).toEqual(new Set([ada.user.id, ben.user.id]));
});
