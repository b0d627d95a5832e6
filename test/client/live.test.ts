// The client library's connection to a lobby, and how it recovers from a loss, against a fake service.
import { describe, expect, it, vi } from 'vitest';
import type { ErrorMessage } from '../../src/client/types.ts';
import type { FakeSocket } from '../support/fake-socket.ts';
import { question, useLiveConnection } from '../support/live-connection.ts';

const live = useLiveConnection();
const { client, sockets, streams, statuses, refusals, ends, start, enter, newest, seqs, nextSocket } = live;

it('entering joins, asks for the current state, and is live from the first event on', () => {
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
  expect(client.last?.seq).toBe(7);
});

describe('[contract 5.9] the numbers of events', () => {
  it.each([
    ['with the last event’s number is passed on and does not count', 4, [], [3, 4, 4]],
    ['that is older than the last event is dropped', 3, [5], [3, 4, 5]],
    ['that is ahead waits until the events before it have arrived', 6, [5, 6], [3, 4, 5, 6]],
  ])('a snapshot %s', (_what, seq, laterSeqs, passedOn) => {
    const socket = enter(3);
    socket.lobbyState(4);
    socket.receive({ type: 'game:question', seq, mark: `of ${seq}` });
    expect(client.last?.seq).toBe(4);
    for (const later of laterSeqs) socket.lobbyState(later);
    expect(seqs()).toEqual(passedOn);
    expect(client.last?.seq).toBe(passedOn.at(-1));
  });

  it.each([
    ['a number that is too high', 33],
    ['the newest number and another mark', 30],
    ['a known number and another mark', 29],
    ['a number from before the entry', 2],
  ])('[contract 16] a state with %s starts another history, which continues from there', (_what, seq) => {
    const socket = enter(28);
    for (const next of [29, 30]) socket.lobbyState(next);
    socket.lobbyState(seq, 'anew');
    expect(client.last).toEqual({ seq, mark: 'anew' });
    socket.receive({ type: 'game:question', seq, mark: 'anew' });
    socket.lobbyState(seq + 1, 'and on');
    expect(seqs()).toEqual([28, 29, 30, seq, seq, seq + 1]);
    expect(client.last).toEqual({ seq: seq + 1, mark: 'and on' });
  });

  it('are remembered for the newest hundred events only', () => {
    const socket = enter(1);
    for (let seq = 2; seq <= 150; seq++) socket.lobbyState(seq);
    socket.receive({ type: 'game:question', seq: 51, mark: 'of 51' });
    expect(client.last?.seq).toBe(150);
    socket.receive({ type: 'game:question', seq: 50, mark: 'of 50' });
    expect(client.last?.seq).toBe(50);
  });
});

describe('messages', () => {
  it('are sent while the connection is live, and are not queued otherwise', async () => {
    const socket = enter(1);
    expect(client.live.send({ type: 'lobby:start', ref: 'start' })).toBe(true);
    expect(socket.sent.at(-1)).toEqual({ type: 'lobby:start', ref: 'start' });
    socket.onclose?.({ code: 1006 });
    expect(client.live.send({ type: 'lobby:start' })).toBe(false);
    (await nextSocket()).onopen?.();
    expect(newest().typesSent()).toEqual(['lobby:join', 'game:ready']);
  });

  it('[contract 10] end the connection if the user has left the lobby in another window', () => {
    const socket = enter(1);
    client.live.wake();
    socket.receiveRefusal('live:ready', 'NOT_IN_LOBBY');
    expect(ends).toEqual(['NOT_IN_LOBBY']);
  });

  it('are neither received nor sent after `stop`', async () => {
    const socket = enter(1);
    client.live.stop();
    socket.lobbyState(2);
    client.live.wake();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seqs()).toEqual([1]);
    expect(sockets).toHaveLength(1);
    expect(socket.typesSent()).toEqual(['lobby:join', 'game:ready']);
    expect(ends).toEqual([]);
  });
});

const refusalOf = (code: number, reason: string, retryAfterMs?: number) =>
  ({ type: 'error', code, reason, message: 'No.', retryAfterMs }) as ErrorMessage;

/** The ways in which an attempt fails. */
const breaks = (socket: FakeSocket) => socket.onclose?.({ code: 1006 });
const errs = (socket: FakeSocket) => socket.onerror?.();
const refusesJoin = (refusal: ErrorMessage) => (socket: FakeSocket) => {
  socket.onopen?.();
  socket.receive({ ...refusal, ref: 'live:join' });
};

describe('a lost connection', () => {
  it('is resumed from the last event number, and the status says so', async () => {
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

  it.each([
    ['every upgrade fails', breaks],
    ['no close follows the error of a failed attempt (nodejs/undici#3546)', errs],
    ['every join is refused with 503', refusesJoin(refusalOf(503, 'UNAVAILABLE'))],
  ])('is retried with a growing random delay of at most ten seconds, where %s', async (_, fail) => {
    breaks(enter(1));
    const pausesMs: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      const startMs = Date.now();
      const socket = await nextSocket();
      pausesMs.push(Date.now() - startMs);
      fail(socket);
    }
    expect(pausesMs[0]).toBeLessThanOrEqual(600);
    expect(pausesMs[1]).toBeGreaterThanOrEqual(500);
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(10_100);
    expect(pausesMs.at(-1)).toBeGreaterThanOrEqual(5000);
  });

  it.each([
    ['is silent for 15 s', undefined, 15_000],
    ['brings nothing 15 s after the end of the round', 6000, 21_000],
    ['brings nothing for 25 s of a longer round', 60_000, 25_000],
  ])('is detected by a probe when it %s, and is replaced', async (_, remainingMs, silenceMs) => {
    const socket = enter(1);
    const probes = () => socket.typesSent().filter((type) => type === 'game:ready').length - 1;
    if (remainingMs) socket.receive({ ...question(2), remainingMs });
    await vi.advanceTimersByTimeAsync(silenceMs - 1);
    expect(probes()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([probes(), statuses]).toEqual([1, ['live']]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(statuses).toEqual(['live', 'reconnecting']);
    expect(socket.isClosed).toBe(true);
    const given = seqs();
    socket.lobbyState(3);
    expect(seqs()).toEqual(given);
  });

  it('is retried at once after `wake` during the delay', async () => {
    breaks(enter(1));
    client.live.wake();
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets).toHaveLength(2);
  });

  it('leads to a stream that finds out the reason, only if no message has come', async () => {
    breaks(enter(1));
    (await nextSocket()).onopen?.();
    expect(streams).toHaveLength(0);
    breaks(newest());
    await nextSocket();
    expect(streams.map(({ isClosed, sent }) => [isClosed, sent])).toEqual([[true, []]]);
  });

  it.each([
    ['the session has ended', refusalOf(401, 'UNAUTHENTICATED')],
    ['the user is no member any more', refusalOf(403, 'NOT_A_MEMBER')],
  ])('is given up when %s', async (_, refusal) => {
    client.onStream = (stream) => stream.onclose?.({ code: 1006, refusal });
    breaks(enter(1));
    breaks(await nextSocket());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ends).toEqual([refusal.reason]);
    expect(statuses.at(-1)).toBe('ended');
    expect(sockets).toHaveLength(2);
  });

  it.each([
    ['there is no network', refusalOf(0, 'OFFLINE')],
    ['a store is away', refusalOf(503, 'UNAVAILABLE')],
    ['a proxy answers instead of the service', refusalOf(403, 'UNKNOWN')],
  ])('is retried while %s', async (_, refusal) => {
    client.transport = 'auto';
    client.onStream = (stream) => stream.onclose?.({ code: 1006, refusal });
    breaks(start());
    for (let attempt = 0; attempt < 4; attempt++) breaks(await nextSocket());
    expect([ends, refusals]).toEqual([[], []]);
    (await nextSocket()).onopen?.();
    newest().lobbyState(1);
    expect(statuses.at(-1)).toBe('live');
  });

  const limited = refusalOf(429, 'RATE_LIMITED', 60_000);
  it.each([
    ['an upgrade', breaks],
    ['a join', refusesJoin(limited)],
  ])('is reported at once and retried after retryAfterMs where a limit refuses %s', async (_, fail) => {
    client.onStream = (stream) => stream.onclose?.({ code: 1006, refusal: limited });
    fail(start());
    await vi.advanceTimersByTimeAsync(0);
    expect(refusals).toMatchObject([{ code: 429, reason: 'RATE_LIMITED', retryAfterMs: 60_000 }]);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(sockets).toHaveLength(1);
    (await nextSocket()).enter(1);
    expect(statuses.at(-1)).toBe('live');
  });

  it('[contract 6] ends with the session', () => {
    enter(1).onclose?.({ code: 4401 });
    expect(ends).toEqual(['UNAUTHENTICATED']);
    expect(statuses.at(-1)).toBe('ended');
  });
});

describe('[contract 24] a stream', () => {
  /** Two WebSockets fail in this way. */
  async function changeOver(fail: (socket: FakeSocket) => void): Promise<FakeSocket> {
    client.transport = 'auto';
    fail(start());
    fail(await nextSocket());
    await vi.advanceTimersByTimeAsync(0);
    return streams.at(-1) as FakeSocket;
  }

  const silence = () => vi.advanceTimersByTime(10_000);

  it.each<[string, (socket: FakeSocket) => void]>([
    ['are refused', errs],
    ['never open', silence],
    ['bring no message', (socket) => [socket.onopen?.(), silence()]],
  ])('is used when two WebSockets %s', async (_, fail) => {
    const stream = await changeOver(fail);
    stream.lobbyState(1);
    expect([sockets.length, streams.length, client.live.transport]).toEqual([2, 2, 'sse']);
    expect([statuses.at(-1), seqs()]).toEqual(['live', [1]]);
  });

  it('is used neither after one failure, nor where the program asks for WebSockets', async () => {
    client.transport = 'auto';
    errs(start());
    (await nextSocket()).enter(1);
    client.live.stop();
    client.transport = 'websocket';
    errs(start());
    for (let attempt = 0; attempt < 3; attempt++) errs(await nextSocket());
    (await nextSocket()).enter(1);
    expect(client.live.transport).toBe('websocket');
  });

  it('that ends is followed by a WebSocket, and at once by a stream when that fails', async () => {
    (await changeOver(errs)).lobbyState(1);
    streams.at(-1)?.onclose?.({ code: 1012 });
    expect(statuses.at(-1)).toBe('reconnecting');
    const before = streams.length;
    await nextSocket();
    await vi.advanceTimersByTimeAsync(2000);
    expect(streams).toHaveLength(before + 1);
    streams.at(-1)?.lobbyState(2);
    expect([statuses.at(-1), client.live.transport]).toEqual(['live', 'sse']);
    streams.at(-1)?.onclose?.({ code: 1012 });
    (await nextSocket()).onopen?.();
    newest().lobbyState(3);
    expect([seqs(), client.live.transport]).toEqual([[1, 2, 3], 'websocket']);
  });

  it('that is silent for 35 s is broken; a comment shows that it is alive', async () => {
    const stream = await changeOver(errs);
    stream.silenceMs = 35_000;
    stream.lobbyState(1);
    await vi.advanceTimersByTimeAsync(34_000);
    stream.onmessage?.({ data: '' });
    await vi.advanceTimersByTimeAsync(34_000);
    expect(statuses.at(-1)).toBe('live');
    await vi.advanceTimersByTimeAsync(1000);
    expect(statuses.at(-1)).toBe('reconnecting');
    expect(stream.isClosed).toBe(true);
  });

  it('has messages beside it, which count only where they are about its last event', async () => {
    const stream = await changeOver(errs);
    stream.lobbyState(1);
    const aside = (seq: number) => {
      const data = JSON.stringify({ type: 'lobby:state', seq, mark: `of ${seq}`, snapshot: true, lobby: {} });
      stream.onmessage?.({ data, isAside: true });
    };
    aside(3);
    stream.lobbyState(2);
    aside(2);
    stream.lobbyState(3);
    expect(seqs()).toEqual([1, 2, 2, 3]);
  });
});
