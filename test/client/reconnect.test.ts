// How the client library's connection to a lobby recovers from a loss, against a fake service.
import { describe, expect, it, vi } from 'vitest';
import type { FakeSocket } from '../support/fake-socket.ts';
import { useLiveConnection } from '../support/live-connection.ts';

const { client, sockets, statuses, ends, start, enter, newest, seqs, nextSocket } = useLiveConnection();

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

  it.each<[string, (socket: FakeSocket) => void]>([
    ['every upgrade fails', (socket) => socket.onclose?.({ code: 1006 })],
    [
      'every join is refused with 503',
      (socket) => {
        socket.onopen?.();
        socket.receiveRefusal('live:join', 'UNAVAILABLE', 503);
      },
    ],
  ])('is retried with a growing random delay of at most ten seconds, where %s', async (_, fail) => {
    enter(1).onclose?.({ code: 1006 });
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

  it('is detected by a ping when it is silent, and is replaced', async () => {
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

  it('is not assumed while a silent connection replies to pings', async () => {
    const socket = enter(1);
    for (let round = 0; round < 5; round++) {
      await vi.advanceTimersByTimeAsync(25_000);
      socket.lobbyState(1);
    }
    expect(statuses).toEqual(['live']);
    expect(sockets).toHaveLength(1);
  });

  it('is retried at once after `wake` during the delay', async () => {
    enter(1).onclose?.({ code: 1006 });
    client.live.wake();
    expect(sockets).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(5000);
    expect(sockets).toHaveLength(2);
  });

  it('is detected sooner after `wake`', async () => {
    const socket = enter(1);
    client.live.wake();
    expect(socket.typesSent().at(-1)).toBe('game:ready');
    await nextSocket();
  });

  it('leads to a check of the session only if the socket did not open', async () => {
    let checks = 0;
    client.isSignedIn = async () => ++checks > 0;
    start().onopen?.();
    // The service closes the socket without a message, as an overloaded or killed replica does.
    await nextSocket();
    newest().onopen?.();
    newest().onclose?.({ code: 1006 });
    await nextSocket();
    expect(checks).toBe(0);
    newest().onclose?.({ code: 1006 });
    await nextSocket();
    expect(checks).toBe(1);
  });

  it('is given up when the session has ended', async () => {
    client.isSignedIn = async () => false;
    enter(1).onclose?.({ code: 1006 });
    // The first attempt is immediate; once it is refused, the client checks the session.
    (await nextSocket()).onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(ends).toEqual(['UNAUTHENTICATED']);
    expect(sockets).toHaveLength(2);
  });

  it('is retried while the session can’t be checked', async () => {
    client.isSignedIn = async () => {
      throw new Error('no network');
    };
    start().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ends).toEqual([]);
    client.isSignedIn = async () => true;
    (await nextSocket()).onopen?.();
    newest().lobbyState(1);
    expect(statuses.at(-1)).toBe('live');
  });

  it('[contract 6] ends with the session', () => {
    enter(1).onclose?.({ code: 4401 });
    expect(ends).toEqual(['UNAUTHENTICATED']);
    expect(statuses.at(-1)).toBe('ended');
  });
});
