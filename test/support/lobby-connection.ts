// The client library's connection to a lobby of a fake service, with commitments of questions. [contract 12]
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { ApiError } from '../../src/client/api-error.ts';
import type { LobbyConnection } from '../../src/client/lobby.ts';
import { connectLobby } from '../../src/client/lobby.ts';
import { FakeSocket } from './fake-socket.ts';

export const ID = '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21';
export const NONCE = 'n0nce';
export const commitmentOf = (optionId: number) =>
  createHash('sha256').update(`${ID}:${optionId}:${NONCE}`).digest('base64url');
export const question = (seq: number, commitment?: string, questionId = ID) => ({
  type: 'game:question',
  seq,
  mark: `${seq}`,
  opensInMs: 0,
  question: { questionId, commitment },
});
export const result = (seq: number, correctOptionId: number, nonce?: string) => ({
  type: 'game:answer_result',
  seq,
  mark: `${seq}`,
  questionId: ID,
  correctOptionId,
  nonce,
});
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
    await expectSilence();
    vi.useRealTimers();
  });

  /** A closed connection does nothing more. Its timers can't be counted: other files' servers set some, too. */
  async function expectSilence(): Promise<void> {
    const messages = () => sockets.map(({ sent }) => sent.length);
    const before = messages();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(messages()).toEqual(before);
  }

  function connect(position?: LobbyConnection['position']): LobbyConnection {
    return connectLobby({
      code: 'ABC123',
      position,
      openSocket() {
        const socket = new FakeSocket();
        sockets.push(socket);
        return socket;
      },
      transport: 'auto',
      openStream: () => new FakeSocket(),
      ownId: async () => ID,
    });
  }

  const newest = () => sockets.at(-1) as FakeSocket;

  /** Breaks the connection and waits for the next one. */
  async function reconnect(): Promise<FakeSocket> {
    newest().onclose?.({ code: 1006 });
    await vi.advanceTimersByTimeAsync(1000);
    return newest();
  }

  /** Reads all events until the connection ends. */
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
