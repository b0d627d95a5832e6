// The client library's connection to a lobby, on fake sockets and with a fake clock.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { connectLive, type EventPosition, type Live, type LiveStatus } from '../../src/client/live.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { ErrorMessage, ServerEvent } from '../../src/realtime/schema.ts';
import { FakeSocket } from './fake-socket.ts';

/** Prepares a connection for each test of a file. The arrays are emptied before each test. */
export function useLiveConnection() {
  const sockets: FakeSocket[] = [];
  const events: ServerEvent[] = [];
  const statuses: LiveStatus[] = [];
  const refusals: ErrorMessage[] = [];
  const acks: string[] = [];
  const ends: ErrorCode[] = [];
  const client = { live: undefined as unknown as Live, isSignedIn: async () => true };

  beforeEach(() => {
    vi.useFakeTimers();
    for (const list of [sockets, events, statuses, refusals, acks, ends]) list.length = 0;
    client.isSignedIn = async () => true;
  });
  afterEach(() => {
    client.live.stop();
    vi.useRealTimers();
  });

  function start(last?: EventPosition): FakeSocket {
    client.live = connectLive({
      code: 'ABC123',
      last,
      openSocket() {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      isSignedIn: () => client.isSignedIn(),
      onEvent: (event) => {
        if ('seq' in event) events.push(event);
      },
      onStatus: (status) => statuses.push(status),
      onRefusal: (error) => refusals.push(error),
      onAck: (ref) => acks.push(ref),
      onEnd: (reason) => ends.push(reason),
    });
    return newest();
  }

  const newest = () => sockets.at(-1) as FakeSocket;
  const seqs = () => events.map(({ seq }) => seq);

  /** Opens a socket whose client has received the lobby's state up to event `seq`. */
  function enter(seq: number): FakeSocket {
    const socket = start();
    socket.onopen?.();
    socket.lobbyState(seq);
    return socket;
  }

  /** Waits up to 20 s for a new socket. */
  async function nextSocket(): Promise<FakeSocket> {
    const count = sockets.length;
    for (let waitedMs = 0; sockets.length === count && waitedMs < 20_000; waitedMs += 100)
      await vi.advanceTimersByTimeAsync(100);
    expect(sockets.length).toBe(count + 1);
    return newest();
  }

  return { client, sockets, events, statuses, refusals, acks, ends, start, enter, newest, seqs, nextSocket };
}
