// A client resumes with the number of the last event that it saw, or gets a snapshot. [contract 5, 5.8, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { connectedUsers, PRESENCE_TTL_MS } from '../../src/lobby/presence.ts';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import { useArena } from '../support/arena.ts';
import { eventually } from '../support/eventually.ts';
import { answer, appendEvents, eventsOf, lastOf, openLobby, startGame } from '../support/game.ts';

type GameQuestion = Extract<ServerMessage, { type: 'game:question' }>;

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const withoutTime = (message: ServerMessage) => ('remainingMs' in message ? { ...message, remainingMs: 0 } : message);

describe('lobby:join with since', () => {
  it('gets exactly the events after it, on another replica too', async () => {
    const { ada, ben, code, lobbyId } = await openLobby(arena);
    await ben.next('lobby:state', ({ seq }) => seq === ada.lastSeq());
    const since = ben.lastSeq();
    const seen = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, seen);
    await appendEvents(arena.services, lobbyId, 3);
    await ben.connect(arena.replicas[0].url);
    const before = ben.messages.length;
    ben.send({ type: 'lobby:join', code, since });
    // Ben's disconnect and reconnect are the first and the last of five events.
    for (const player of [ada, ben]) await player.next('lobby:state', ({ seq }) => seq === since + 5);
    expect(ben.messages.slice(before)).toEqual(eventsOf(ada).filter(({ seq }) => seq > since));
  });
});

describe('game:ready', () => {
  it('gets only the open question in a running game, and only game:finished in a finished one', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    const questionEvent = await ben.next('game:question');
    const seen = [ada.messages.length, ben.messages.length];
    ben.send({ type: 'game:ready' });
    expect(withoutTime(await ben.next('game:question', () => true, seen[1]))).toEqual({
      ...withoutTime(questionEvent),
      snapshot: true,
      yourAnswer: null,
    });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const finished = await ben.next('game:finished');
    const end = ben.messages.length;
    ben.send({ type: 'game:ready' });
    expect(await ben.next('game:finished', () => true, end)).toEqual({ ...finished, snapshot: true });
    expect(ben.messages).toHaveLength(end + 1);
    await ada.next('game:finished');
    expect(ada.messages.slice(seen[0]).map(({ type }) => type)).toEqual(['game:answer_result', 'game:finished']);
  });
});

describe('remainingMs', () => {
  /** The error of a replica's estimate of Redis' time, in ms. A larger one fails the test. */
  const TOLERANCE_MS = 300;

  /** Expects a `remainingMs` that was right at a moment between `request` and its reply. */
  async function expectRight(request: () => Promise<GameQuestion>): Promise<void> {
    const requestedMs = Date.now();
    const { remainingMs, deadline } = await request();
    const repliedMs = Date.now();
    expect(remainingMs).toBeLessThanOrEqual(Date.parse(deadline) - requestedMs + TOLERANCE_MS);
    expect(remainingMs).toBeGreaterThanOrEqual(Date.parse(deadline) - repliedMs - TOLERANCE_MS);
  }

  it('is that of the moment of sending in an event, a snapshot, the reply to game:ready and a replay', async () => {
    const { ada, ben, code } = await openLobby(arena);
    await expectRight(() => {
      ada.send({ type: 'lobby:start' });
      return ben.next('game:question');
    });
    const since = ben.lastSeq() - 1;
    // A value that was not computed anew would exceed the tolerance.
    await sleep(3000);
    for (const message of [{ type: 'game:ready' }, { type: 'lobby:join', code }]) {
      const seen = ben.messages.length;
      await expectRight(() => {
        ben.send(message);
        return ben.next('game:question', () => true, seen);
      });
    }
    ben.drop();
    await ben.connect();
    const seen = ben.messages.length;
    await expectRight(() => {
      ben.send({ type: 'lobby:join', code, since });
      return ben.next('game:question', () => true, seen);
    });
  });
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
