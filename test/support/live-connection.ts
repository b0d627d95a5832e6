// The client library's connection to a lobby, on fake sockets and with a fake clock.
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ApiError } from '../../src/client/api-error.ts';
import { connectLive, type EventPosition, type LiveOptions, type LiveStatus } from '../../src/client/live.ts';
import { connectLobby, type LobbyConnection } from '../../src/client/lobby.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { ErrorMessage, ServerEvent } from '../../src/realtime/schema.ts';
import { FakeSocket } from './fake-socket.ts';

function added(to: FakeSocket[]): FakeSocket {
  to.push(new FakeSocket());
  return to.at(-1) as FakeSocket;
}

const opens = (stream: FakeSocket) => stream.onopen?.();

/** Prepares a connection for each test of a file. The arrays are emptied before each test. */
export function useLiveConnection() {
  const sockets: FakeSocket[] = [];
  const streams: FakeSocket[] = [];
  const events: ServerEvent[] = [];
  const statuses: LiveStatus[] = [];
  const refusals: ErrorMessage[] = [];
  const ends: ErrorCode[] = [];
  const client = {
    live: undefined as unknown as ReturnType<typeof connectLive>,
    last: undefined as EventPosition | undefined,
    transport: 'websocket' as LiveOptions['transport'],
    onStream: opens,
  };

  beforeEach(() => {
    vi.useFakeTimers();
    for (const list of [sockets, streams, events, statuses, refusals, ends]) list.length = 0;
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
        if (message.type === 'error') refusals.push(message);
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

  return { client, sockets, streams, events, statuses, refusals, ends, start, enter, newest, seqs, nextSocket };
}

// The client library's connection to a lobby of a fake service, with commitments of questions. [contract 12]

export const ID = '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21';
export const NONCE = 'n0nce';
export const commitmentOf = (optionId: number) =>
  createHash('sha256').update(`${ID}:${optionId}:${NONCE}`).digest('base64url');

const event = (type: string, seq: number, fields: object) => ({ type, seq, mark: `${seq}`, ...fields });
export const question = (seq: number, commitment?: string, questionId = ID) =>
  event('game:question', seq, { opensInMs: 0, question: { questionId, commitment } });
export const result = (seq: number, correctOptionId: number, nonce?: string) =>
  event('game:answer_result', seq, { questionId: ID, correctOptionId, nonce });

/** Opens a connection before each test of a file; a test can replace `client.lobby`. */
export function useLobbyConnection() {
  const sockets: FakeSocket[] = [];
  const client = { lobby: undefined as unknown as LobbyConnection };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    sockets.length = 0;
    client.lobby = connect();
  });
  afterEach(async () => {
    client.lobby.close();
    // A closed connection does nothing more. Its timers can't be counted: other files' servers set some, too.
    const messages = () => sockets.map(({ sent }) => sent.length);
    const before = messages();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(messages()).toEqual(before);
    vi.useRealTimers();
  });

  const connect = (position?: LobbyConnection['position']) =>
    connectLobby({
      code: 'ABC123',
      position,
      openSocket: () => added(sockets),
      transport: 'auto',
      openStream: () => new FakeSocket(),
      ownId: async () => ID,
    });
  const newest = () => sockets.at(-1) as FakeSocket;

  async function reconnect(): Promise<FakeSocket> {
    newest().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    return newest();
  }

  async function read(): Promise<{ types: string[]; error?: ApiError }> {
    const types: string[] = [];
    try {
      for await (const event of client.lobby) types.push(event.type);
    } catch (error) {
      return { types, error: error as ApiError };
    }
    return { types };
  }

  return { client, connect, newest, reconnect, read };
}

/** Waits until messages are delivered. WebCrypto works in another thread and takes longer. */
export async function settle(isDone = () => true): Promise<void> {
  for (let turn = 0; turn < 20 || !isDone(); turn++) await new Promise<void>((done) => setImmediate(done));
}
