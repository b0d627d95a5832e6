// Coming back with the last number seen, and what a snapshot holds. [contract 5, 5.8, 5.9]
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { updatePresence } from '../../src/lobby/presence.ts';
import type { ServerEvent, ServerMessage } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { useArena } from '../support/arena.ts';
import { answer, eventsOf, lobbyIdOf, startGame } from '../support/game.ts';
import { gather, type Player, playerOf } from '../support/player.ts';

type GameQuestion = Extract<ServerMessage, { type: 'game:question' }>;

const arena = useArena({ env: { ROUND_DURATION_MS: '30000' } });

const services = () => arena.replicas[0]?.services as Services;

async function pair(request: object = {}): Promise<[Player, Player, string]> {
  const [ada, ben] = (await arena.players('Ada', 'Ben')) as [Player, Player];
  return [ada, ben, await gather([ada, ben], request)];
}

/** Appends events to the lobby of `player`. */
async function makeEvents(player: Player, count: number): Promise<void> {
  const lobbyId = lobbyIdOf(player);
  for (let made = 0; made < count; made++)
    await updatePresence(services(), lobbyId, 'add', [], 'always');
}

/** Comes back on the other replica. @returns what was sent since then, once `until` was */
async function comeBack(
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

const withoutTime = (message: ServerMessage) =>
  'remainingMs' in message ? { ...message, remainingMs: 0 } : message;
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
    const back = await comeBack(ben, code, since, () =>
      ben.next('lobby:state', ({ seq }) => seq === since + 5),
    );
    // Ben was gone, three more, Ben is back.
    await ada.next('lobby:state', ({ seq }) => seq === since + 5);
    expect(back).toEqual(eventsAfter(ada, since));
  });

  it('gets the whole rest of a game that went on without it', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2 });
    const since = ben.lastSeq();
    ben.drop();
    const elsewhere = playerOf(ben.user, arena.replicas[0]?.url as string);
    await elsewhere.connect();
    elsewhere.send({ type: 'lobby:join', code });
    for (const round of [1, 2])
      for (const player of [ada, elsewhere]) await answer(arena, player, round, 'right');
    const { seq: end } = await ada.next('game:finished');
    await comeBack(ben, code, since, () => ben.next('game:finished'));
    const back = eventsAfter(ben, since, end);
    expect(back).toEqual(eventsAfter(ada, since, end));
    expect(back.filter(({ type }) => type !== 'lobby:state').map(({ type }) => type)).toEqual([
      ...['game:answer_result', 'game:question', 'game:answer_result', 'game:finished'],
    ]);
  });

  it('gets nothing again when it has missed nothing', async () => {
    const [ada, ben, code] = await pair();
    const seen = ada.messages.length;
    ben.drop();
    const gone = await ada.next('lobby:state', ({ lobby }) => !lobby.players[1]?.connected, seen);
    const back = await comeBack(ben, code, gone.seq, () =>
      ben.next('lobby:state', ({ seq }) => seq === gone.seq + 1),
    );
    expect(back).toHaveLength(1);
  });

  it.each([0.5, -1, '3', null])('%j is no number of an event: 400', async (since) => {
    const [ada, , code] = await pair();
    expect(await ada.refused({ type: 'lobby:join', code, since })).toMatchObject({
      ...{ code: 400, reason: 'VALIDATION_FAILED' },
    });
  });

  it('gets a snapshot when the number is higher than any that was', async () => {
    const [ada, ben, code] = await pair();
    const seen = ada.messages.length;
    ben.drop();
    const gone = await ada.next('lobby:state', ({ lobby }) => !lobby.players[1]?.connected, seen);
    const back = await comeBack(ben, code, gone.seq + 1000, () =>
      ben.next('lobby:state', ({ seq }) => seq === gone.seq + 1, ben.messages.length),
    );
    expect(back[0]).toEqual({ ...gone, snapshot: true });
    expect(back).toHaveLength(2);
  });
});

it.each([2, 50])(
  '[contract 11] the log holds 100 + 4 × capacity events at least; where it does not reach back, there is a snapshot: %i',
  async (capacity) => {
    const [ada, ben, code] = await pair({ capacity });
    const length = 100 + 4 * capacity;
    const first = ben.lastSeq();
    const seen = ada.messages.length;
    ben.drop();
    await ada.next('lobby:state', ({ lobby }) => !lobby.players[1]?.connected, seen);
    await makeEvents(ada, 700);
    await ada.next('lobby:state', ({ seq }) => seq > first + 700);
    const head = ada.lastSeq();
    const late = await comeBack(ben, code, first, () =>
      ben.next('lobby:state', ({ seq }) => seq === head + 1),
    );
    expect(late.map((message) => 'seq' in message && message.seq)).toEqual([head, head + 1]);
    ben.drop();
    await ada.next('lobby:state', ({ seq }) => seq === head + 2);
    const since = head + 2 - length;
    const inTime = await comeBack(ben, code, since, () =>
      ben.next('lobby:state', ({ seq }) => seq === head + 3),
    );
    await ada.next('lobby:state', ({ seq }) => seq === head + 3);
    expect(inTime).toEqual(eventsAfter(ada, since));
    expect(inTime).toHaveLength(length + 1);
  },
);

describe('a snapshot', () => {
  it('is lobby:state, then the open game:question; both carry number and mark of the last event', async () => {
    const { ada, ben, code } = await startGame(arena);
    const asked = await ada.next('game:question');
    await makeEvents(ada, 2);
    await ben.next('lobby:state', ({ seq }) => seq === asked.seq + 2);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    await ben.next('game:question', () => true, seen);
    const { seq, mark } = ada.messages.at(-1) as ServerEvent;
    expect(seq).toBe(asked.seq + 2);
    expect(ben.messages.slice(seen).map(withoutTime)).toEqual([
      {
        type: 'lobby:state',
        seq,
        mark,
        snapshot: true,
        lobby: (await ben.http.get(`/api/v1/lobbies/${code}`)).body,
      },
      { ...withoutTime(asked), seq, mark, snapshot: true },
    ]);
  });

  it('between rounds it is lobby:state, then what is open next', async () => {
    const { ada, ben, code } = await startGame(arena, { rounds: 2 });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const { seq } = await ben.next('game:question', ({ round }) => round === 2);
    const seen = ben.messages.length;
    ben.send({ type: 'lobby:join', code });
    await ben.next('game:question', () => true, seen);
    expect(ben.messages.slice(seen)).toMatchObject([
      { type: 'lobby:state', seq },
      { type: 'game:question', round: 2, seq },
    ]);
  });
});

describe('game:ready', () => {
  it('in a waiting lobby gets lobby:state, in none 409 NOT_IN_LOBBY', async () => {
    const [ada, ben] = await pair();
    const seen = [ada.messages.length, ben.messages.length];
    ben.send({ type: 'game:ready' });
    const state = await ben.next('lobby:state', () => true, seen[1]);
    expect(state).toEqual({ ...ada.messages.at(-1), snapshot: true });
    const eve = await arena.player('Eve');
    await eve.connect();
    expect(await eve.refused({ type: 'game:ready' })).toMatchObject({
      ...{ code: 409, reason: 'NOT_IN_LOBBY' },
    });
    expect(ada.messages).toHaveLength(seen[0] as number);
  });

  it('in a running game gets the open question, in a finished one game:finished, alone', async () => {
    const { ada, ben } = await startGame(arena, { rounds: 1 });
    const asked = await ben.next('game:question');
    const seen = [ada.messages.length, ben.messages.length];
    ben.send({ type: 'game:ready' });
    expect(withoutTime(await ben.next('game:question', () => true, seen[1]))).toEqual({
      ...withoutTime(asked),
      snapshot: true,
    });
    for (const player of [ada, ben]) await answer(arena, player, 1, 'right');
    const finished = await ben.next('game:finished');
    const end = ben.messages.length;
    ben.send({ type: 'game:ready' });
    expect(await ben.next('game:finished', () => true, end)).toEqual({
      ...finished,
      snapshot: true,
    });
    expect(ben.messages).toHaveLength(end + 1);
    await ada.next('game:finished');
    expect(ada.messages.slice(seen[0]).map(({ type }) => type)).toEqual([
      ...['game:answer_result', 'game:finished'],
    ]);
  });
});

describe('remainingMs is true at the moment of sending', () => {
  /** What a replica's idea of Redis' time may be off by, while the machine is busy. */
  const TOLERANCE_MS = 300;

  /** Between asking and hearing the deadline was so far away; by this machine's clock, as Redis'. */
  async function expectTrue(ask: () => Promise<GameQuestion>): Promise<void> {
    const askedMs = Date.now();
    const { remainingMs, deadline } = await ask();
    const heardMs = Date.now();
    expect(remainingMs).toBeLessThanOrEqual(Date.parse(deadline) - askedMs + TOLERANCE_MS);
    expect(remainingMs).toBeGreaterThanOrEqual(Date.parse(deadline) - heardMs - TOLERANCE_MS);
  }

  it('in the event, in a snapshot, in the answer to game:ready and in a replay', async () => {
    const [ada, ben, code] = await pair();
    await expectTrue(() => {
      ada.send({ type: 'lobby:start' });
      return ben.next('game:question');
    });
    const since = ben.lastSeq() - 1;
    // What stood still would be off by more than is tolerated.
    await sleep(1500);
    for (const message of [{ type: 'game:ready' }, { type: 'lobby:join', code }]) {
      const seen = ben.messages.length;
      await expectTrue(() => {
        ben.send(message);
        return ben.next('game:question', () => true, seen);
      });
    }
    ben.drop();
    await ben.connect();
    const seen = ben.messages.length;
    await expectTrue(() => {
      ben.send({ type: 'lobby:join', code, since });
      return ben.next('game:question', () => true, seen);
    });
  });
});
