// The client library's connection to a lobby, against a service that is played by the test.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  connectLive,
  type Live,
  type LiveSocket,
  type LiveStatus,
  type Since,
} from '../../src/client/live.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { ErrorMessage, ServerEvent } from '../../src/realtime/schema.ts';

/** One socket as the service sees it. */
class FakeSocket implements LiveSocket {
  onopen: LiveSocket['onopen'] = null;
  onmessage: LiveSocket['onmessage'] = null;
  onclose: LiveSocket['onclose'] = null;
  onerror: LiveSocket['onerror'] = null;
  sent: { type: string; ref?: string; since?: number; mark?: string }[] = [];
  isClosed = false;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  /** The service says something. */
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  lobbyState(seq: number, mark = `of ${seq}`): void {
    this.says({ type: 'lobby:state', seq, mark, lobby: {} });
  }
  refuses(ref: string | undefined, reason: ErrorCode, code = 409): void {
    this.says({ type: 'error', code, reason, message: 'No.', ref });
  }
  typesSent(): string[] {
    return this.sent.map(({ type }) => type);
  }
}

let sockets: FakeSocket[];
let events: ServerEvent[];
let statuses: LiveStatus[];
let refusals: ErrorMessage[];
let ends: ErrorCode[];
let isSignedIn: () => Promise<boolean>;
let live: Live;

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, events, statuses, refusals, ends] = [[], [], [], [], []];
  isSignedIn = async () => true;
});
afterEach(() => {
  live.stop();
  vi.useRealTimers();
});

function start(last?: Since): FakeSocket {
  live = connectLive({
    code: 'ABC123',
    last,
    openSocket() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket;
    },
    isSignedIn: () => isSignedIn(),
    onEvent: (event) => {
      if ('seq' in event) events.push(event);
    },
    onStatus: (status) => statuses.push(status),
    onRefusal: (error) => refusals.push(error),
    onEnd: (reason) => ends.push(reason),
  });
  return newest();
}

const newest = () => sockets.at(-1) as FakeSocket;
const seqs = () => events.map(({ seq }) => seq);

/** A socket that is in the lobby, up to event `seq`. */
function enter(seq: number): FakeSocket {
  const socket = start();
  socket.onopen?.();
  socket.lobbyState(seq);
  return socket;
}

/** Waits until a new socket is opened, at most 20 s. */
async function nextSocket(): Promise<FakeSocket> {
  const count = sockets.length;
  for (let waitedMs = 0; sockets.length === count && waitedMs < 20_000; waitedMs += 100)
    await vi.advanceTimersByTimeAsync(100);
  expect(sockets.length).toBe(count + 1);
  return newest();
}

describe('entering', () => {
  it('joins, asks for what is on the screen, and is live with the first event', () => {
    const socket = start();
    expect(socket.sent).toEqual([]);
    socket.onopen?.();
    expect(socket.sent).toEqual([
      { type: 'lobby:join', code: 'ABC123', ref: 'live:join' },
      { type: 'game:ready', ref: 'live:ready' },
    ]);
    expect(statuses).toEqual([]);
    socket.lobbyState(7);
    expect(statuses).toEqual(['live']);
    expect(live.last()?.seq).toBe(7);
  });

  it('goes on from an event that is known from before', () => {
    const socket = start({ seq: 12, mark: 'of 12' });
    socket.onopen?.();
    expect(socket.sent[0]).toMatchObject({ type: 'lobby:join', since: 12, mark: 'of 12' });
  });

  it('ends when the lobby can’t be entered', () => {
    const socket = start();
    socket.onopen?.();
    socket.refuses('live:join', 'NOT_A_MEMBER', 403);
    expect(ends).toEqual(['NOT_A_MEMBER']);
    expect(socket.isClosed).toBe(true);
  });

  it('tries again when a store is away', async () => {
    const socket = start();
    socket.onopen?.();
    socket.refuses('live:join', 'UNAVAILABLE', 503);
    expect(ends).toEqual([]);
    const second = await nextSocket();
    second.onopen?.();
    expect(second.typesSent()).toEqual(['lobby:join', 'game:ready']);
  });

  it('tries again when nobody answers', async () => {
    const socket = start();
    socket.onopen?.();
    await nextSocket();
    expect(socket.isClosed).toBe(true);
    expect(statuses).toEqual(['reconnecting']);
  });
});

describe('[contract 5.9] the numbers of events', () => {
  it('count up one by one', () => {
    const socket = enter(3);
    socket.lobbyState(4);
    socket.lobbyState(5);
    expect(seqs()).toEqual([3, 4, 5]);
    expect(live.last()?.seq).toBe(5);
  });

  it('a snapshot that repeats the last event is passed on and counts for nothing', () => {
    const socket = enter(3);
    socket.says({ type: 'game:question', seq: 3, mark: 'of 3' });
    expect(events.map(({ type }) => type)).toEqual(['lobby:state', 'game:question']);
    expect(live.last()?.seq).toBe(3);
  });

  it('a snapshot that runs ahead of the events in between waits for its turn among them', () => {
    const socket = enter(3);
    socket.says({ type: 'game:question', seq: 6, mark: 'of 6' });
    expect(live.last()?.seq).toBe(3);
    for (const seq of [4, 5, 6])
      socket.says({ type: 'game:answer_result', seq, mark: `of ${seq}` });
    expect(seqs()).toEqual([3, 4, 5, 6]);
    expect(live.last()?.seq).toBe(6);
  });

  it('[contract 16] a state beyond the next number begins another history', () => {
    const socket = enter(3);
    socket.lobbyState(9, 'anew');
    socket.says({ type: 'game:question', seq: 9, mark: 'anew' });
    socket.lobbyState(10, 'and on');
    expect(seqs()).toEqual([3, 9, 9, 10]);
    expect(live.last()).toEqual({ seq: 10, mark: 'and on' });
  });

  it('a snapshot that an event has overtaken is dropped', () => {
    const socket = enter(3);
    socket.lobbyState(4);
    socket.says({ type: 'game:question', seq: 3, mark: 'of 3' });
    socket.lobbyState(5);
    expect(seqs()).toEqual([3, 4, 5]);
  });

  it.each([2, 29, 30])(
    '[contract 16] another mark with a number that was seen, %i, is another history’s: it counts from there',
    (seq) => {
      const socket = enter(28);
      for (const next of [29, 30]) socket.lobbyState(next);
      socket.lobbyState(seq, 'anew');
      expect(live.last()).toEqual({ seq, mark: 'anew' });
      socket.says({ type: 'game:question', seq, mark: 'anew' });
      socket.lobbyState(seq + 1, 'and on');
      expect(seqs()).toEqual([28, 29, 30, seq, seq, seq + 1]);
      expect(live.last()).toEqual({ seq: seq + 1, mark: 'and on' });
    },
  );

  it('a replica of the release before marks refuses them: it is asked without', async () => {
    const socket = start({ seq: 3, mark: 'of 3' });
    socket.onopen?.();
    socket.refuses('live:join', 'VALIDATION_FAILED', 400);
    const second = await nextSocket();
    second.onopen?.();
    expect(second.sent[0]).toEqual({
      ...{ type: 'lobby:join', code: 'ABC123', ref: 'live:join', since: 3 },
    });
    second.says({ type: 'game:question', seq: 3 });
    second.says({ type: 'lobby:state', seq: 4, lobby: {} });
    expect(seqs()).toEqual([3, 4]);
    second.refuses('live:join', 'VALIDATION_FAILED', 400);
    expect(ends).toEqual(['VALIDATION_FAILED']);
  });

  it('after a reconnection, a log that does not reach back gives way to a snapshot', async () => {
    enter(3).onclose?.({ code: 1006 });
    const second = await nextSocket();
    second.onopen?.();
    expect(second.sent[0]).toMatchObject({ type: 'lobby:join', since: 3, mark: 'of 3' });
    second.lobbyState(200);
    second.says({ type: 'game:question', seq: 200, mark: 'of 200' });
    second.lobbyState(201);
    expect(seqs()).toEqual([3, 200, 200, 201]);
    expect(live.last()?.seq).toBe(201);
  });
});

describe('losing the connection', () => {
  it('comes back from the last number, and says so', async () => {
    const first = enter(3);
    first.lobbyState(4);
    first.onclose?.({ code: 1012 });
    expect(statuses).toEqual(['live', 'reconnecting']);
    const second = await nextSocket();
    second.onopen?.();
    expect(second.sent[0]).toMatchObject({ type: 'lobby:join', since: 4, mark: 'of 4' });
    second.lobbyState(5);
    expect(statuses).toEqual(['live', 'reconnecting', 'live']);
    expect(seqs()).toEqual([3, 4, 5]);
  });

  it('waits longer and longer, at most ten seconds, with chance in it', async () => {
    enter(1).onclose?.({ code: 1006 });
    const pausesMs: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const startMs = Date.now();
      const socket = await nextSocket();
      pausesMs.push(Date.now() - startMs);
      socket.onclose?.({ code: 1006 });
    }
    expect(pausesMs[0]).toBeLessThanOrEqual(600);
    expect(pausesMs[1]).toBeGreaterThanOrEqual(500);
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(10_100);
    expect(pausesMs.at(-1)).toBeGreaterThanOrEqual(5000);
  });

  it('asks a silent connection whether it lives, and leaves a dead one', async () => {
    const socket = enter(1);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(socket.typesSent().filter((type) => type === 'game:ready')).toHaveLength(2);
    expect(statuses).toEqual(['live']);
    await vi.advanceTimersByTimeAsync(5000);
    expect(statuses).toEqual(['live', 'reconnecting']);
    expect(socket.isClosed).toBe(true);
    socket.lobbyState(2);
    expect(seqs()).toEqual([1]);
  });

  it('keeps a silent connection that answers', async () => {
    const socket = enter(1);
    for (let round = 0; round < 5; round++) {
      await vi.advanceTimersByTimeAsync(25_000);
      socket.lobbyState(1);
    }
    expect(statuses).toEqual(['live']);
    expect(sockets).toHaveLength(1);
  });

  it('reconnects at once when it is woken while it waits', async () => {
    enter(1).onclose?.({ code: 1006 });
    live.wake();
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets).toHaveLength(2);
  });

  it('is quick to notice a dead connection when it is woken', async () => {
    const socket = enter(1);
    live.wake();
    expect(socket.typesSent().at(-1)).toBe('game:ready');
    await nextSocket();
  });

  it('asks who is signed in only when it was not let in: a socket that opened was', async () => {
    let asked = 0;
    isSignedIn = async () => ++asked > 0;
    start().onopen?.();
    // The replica is too busy to say anything, or dies.
    await nextSocket();
    newest().onopen?.();
    newest().onclose?.({ code: 1006 });
    await nextSocket();
    expect(asked).toBe(0);
    newest().onclose?.({ code: 1006 });
    await nextSocket();
    expect(asked).toBe(1);
  });

  it('gives up when nobody is signed in any more', async () => {
    isSignedIn = async () => false;
    enter(1).onclose?.({ code: 1006 });
    // The first attempt is made at once; refused, it is asked why.
    (await nextSocket()).onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ends).toEqual(['UNAUTHENTICATED']);
    expect(sockets).toHaveLength(2);
  });

  it('goes on trying while the service can’t be asked who is signed in', async () => {
    isSignedIn = async () => {
      throw new Error('no network');
    };
    start().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends).toEqual([]);
    isSignedIn = async () => true;
    (await nextSocket()).onopen?.();
    newest().lobbyState(1);
    expect(statuses.at(-1)).toBe('live');
  });

  it('[contract 6] ends when the session is over', () => {
    enter(1).onclose?.({ code: 4401 });
    expect(ends).toEqual(['UNAUTHENTICATED']);
    expect(statuses.at(-1)).toBe('ended');
  });
});

describe('messages', () => {
  it('are sent while it is live, and not kept for later', async () => {
    const socket = enter(1);
    expect(live.send({ type: 'lobby:start', ref: 'start' })).toBe(true);
    expect(socket.sent.at(-1)).toEqual({ type: 'lobby:start', ref: 'start' });
    socket.onclose?.({ code: 1006 });
    expect(live.send({ type: 'lobby:start' })).toBe(false);
    (await nextSocket()).onopen?.();
    expect(newest().typesSent()).toEqual(['lobby:join', 'game:ready']);
  });

  it('a refusal is passed on, and the connection goes on', () => {
    const socket = enter(1);
    socket.refuses('start', 'NOT_ENOUGH_PLAYERS');
    expect(refusals).toMatchObject([{ reason: 'NOT_ENOUGH_PLAYERS', ref: 'start' }]);
    socket.lobbyState(2);
    expect(seqs()).toEqual([1, 2]);
  });

  it('[contract 10] who has left from another window learns it from the next answer', () => {
    const socket = enter(1);
    live.wake();
    socket.refuses('live:ready', 'NOT_IN_LOBBY');
    expect(ends).toEqual(['NOT_IN_LOBBY']);
  });

  it('after the stop nothing is said, sent or tried any more', async () => {
    const socket = enter(1);
    live.stop();
    socket.lobbyState(2);
    live.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seqs()).toEqual([1]);
    expect(sockets).toHaveLength(1);
    expect(ends).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
