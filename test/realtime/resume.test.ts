// A client resumes with the number of the last event that it saw, or gets a snapshot. [contract 5, 5.8, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { ServerEvent, ServerMessage } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { answer, appendEvents, eventsOf, lobbyIdOf, startGame } from '../support/game.ts';
import { gather, type Player } from '../support/player.ts';

type GameQuestion = Extract<ServerMessage, { type: 'game:question' }>;

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const services = () => arena.replicas[0]?.services as Services;

async function pair(request: object = {}): Promise<[Player, Player, string]> {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  return [ada, ben, await gather([ada, ben], request)];
}

/** Appends events to the lobby of `player`. */
const makeEvents = (player: Player, count: number) => appendEvents(services(), lobbyIdOf(player), count);

/** Reconnects on the first replica. @returns the messages to the new socket, once `until` has resolved */
async function reconnect(
  player: Player,
  code: string,
  since: number | undefined,
  until: () => Promise<unknown>,
): Promise<ServerMessage[]> {
  await player.connect(arena.replicas[0]?.url);
  const seen = player.messages.length;
  player.send({ type: 'lobby:join', code, since });
  await until();
  return player.messages.slice(seen);
}

const withoutTime = (message: ServerMessage) => ('remainingMs' in message ? { ...message, remainingMs: 0 } : message);
const eventsAfter = (player: Player, since: number, end = Number.POSITIVE_INFINITY) =>
  eventsOf(player)
    .filter(({ seq }) => seq > since && seq <= end)
    .map(withoutTime);

describe('lobby:join with since', () => {
  it('gets exactly the events after it, on another replica too', async () => {
    const [ada, ben, code] = await pair();
    await ben.next('lobby:state', ({ seq }) => seq === ada.lastSeq());
    const since = ben.lastSeq();
    const seen = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => lobby.players[1]?.connected === false, seen);
    await makeEvents(ada, 3);
    const messages = await reconnect(ben, code, since, () => ben.next('lobby:state', ({ seq }) => seq === since + 5));
    // Ben's disconnect and reconnect are the first and the last of five events.
    await ada.next('lobby:state', ({ seq }) => seq === since + 5);
    expect(messages).toEqual(eventsAfter(ada, since));
  });
});

it('[contract 11] the log has at least 100 + 4 × the capacity events; a client that needs an earlier one gets a snapshot', async () => {
  const capacity = 50;
  const [ada, ben, code] = await pair({ capacity });
  const length = 100 + 4 * capacity;
  const first = ben.lastSeq();
  const seen = ada.messages.length;
  ben.drop();
  await ada.next('lobby:state', ({ lobby }) => !lobby.players[1]?.connected, seen);
  await makeEvents(ada, 700);
  await ada.next('lobby:state', ({ seq }) => seq > first + 700);
  const head = ada.lastSeq();
  const late = await reconnect(ben, code, first, () => ben.next('lobby:state', ({ seq }) => seq === head + 1));
  expect(late.map((message) => 'seq' in message && message.seq)).toEqual([head, head + 1]);
  ben.drop();
  await ada.next('lobby:state', ({ seq }) => seq === head + 2);
  const since = head + 2 - length;
  const inTime = await reconnect(ben, code, since, () => ben.next('lobby:state', ({ seq }) => seq === head + 3));
  await ada.next('lobby:state', ({ seq }) => seq === head + 3);
  expect(inTime).toEqual(eventsAfter(ada, since));
  expect(inTime).toHaveLength(length + 1);
});

describe('a snapshot', () => {
  it('is lobby:state, then the open game:question, both with number and mark of the last event', async () => {
    const { ada, ben, code } = await startGame(arena);
    const questionEvent = await ada.next('game:question');
    await makeEvents(ada, 2);
    await ben.next('lobby:state', ({ seq }) => seq === questionEvent.seq + 2);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    await ben.next('game:question', () => true, seen);
    const { seq, mark } = ada.messages.at(-1) as ServerEvent;
    expect(seq).toBe(questionEvent.seq + 2);
    expect(ben.messages.slice(seen).map(withoutTime)).toEqual([
      { type: 'lobby:state', seq, mark, snapshot: true, lobby: (await ben.http.get(`/api/v1/lobbies/${code}`)).body },
      { ...withoutTime(questionEvent), seq, mark, snapshot: true, yourAnswer: null },
    ]);
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
    const [ada, ben, code] = await pair();
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
