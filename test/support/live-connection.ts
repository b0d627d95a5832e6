// The client library's connection to a lobby, on fake sockets and with a fake clock.
import { afterEach, beforeEach, expect, vi } from 'vitest';
import {
  connectLive,
  type EventPosition,
  type Live,
  type LiveOptions,
  type LiveStatus,
} from '../../src/client/live.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { ErrorMessage, ServerEvent } from '../../src/realtime/schema.ts';
import { FakeSocket } from './fake-socket.ts';

function added(to: FakeSocket[]): FakeSocket {
  to.push(new FakeSocket());
  return to.at(-1) as FakeSocket;
}

/** The service accepts the stream. */
function opens(stream: FakeSocket): void {
  stream.onopen?.();
}

/** Prepares a connection for each test of a file. The arrays are emptied before each test. */
export function useLiveConnection() {
  const sockets: FakeSocket[] = [];
  const streams: FakeSocket[] = [];
  const events: ServerEvent[] = [];
  const statuses: LiveStatus[] = [];
  const refusals: ErrorMessage[] = [];
  const ends: ErrorCode[] = [];
  const acks: string[] = [];
  const client = {
    live: undefined as unknown as Live,
    last: undefined as EventPosition | undefined,
    transport: 'websocket' as LiveOptions['transport'],
    onStream: opens,
  };

  beforeEach(() => {
    vi.useFakeTimers();
    for (const list of [sockets, streams, events, statuses, refusals, ends, acks]) list.length = 0;
    Object.assign(client, { transport: 'websocket', onStream: opens });
  });
  afterEach(() => {
    client.live.stop();
    vi.useRealTimers();
  });

  function start(last?: EventPosition): FakeSocket {
    client.live = connectLive({
      code: 'ABC123',
      last,
      transport: client.transport,
      openSocket: () => added(sockets),
      openStream() {
        const stream = added(streams);
        queueMicrotask(() => client.onStream(stream));
        return stream;
      },
      onMessage(message, lastEvent) {
        client.last = lastEvent;
        if (message.type === 'ack') acks.push(message.ref);
        else if (message.type === 'error') refusals.push(message);
        else if ('seq' in message) events.push(message);
      },
      onStatus: (status) => statuses.push(status),
      onEnd: ({ reason }) => ends.push(reason),
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

  return { client, sockets, streams, acks, events, statuses, refusals, ends, start, enter, newest, seqs, nextSocket };
}
