// A player's client: an HTTP session and a socket that records every message in order. It does not use the client
// library, which reorders messages and hides faults that tests of the protocol have to see. Instead of a socket it may
// have a stream and requests, which then behave as a socket does.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import WebSocket from 'ws';
import type { ServerMessage } from '../../src/realtime/schema.ts';
import type { Services } from '../../src/services.ts';
import { eventually } from './eventually.ts';
import { createHttpClient } from './http-client.ts';
import { openStreamLine } from './stream.ts';
import { createSignedInUser, type TestUser } from './users.ts';

type Type = ServerMessage['type'];
type Message<T extends Type> = Extract<ServerMessage, { type: T }>;

export type Player = ReturnType<typeof playerOf>;

/** Players with these names, in their order. */
export type Named<Names extends readonly string[]> = { [At in keyof Names]: Player };

export interface Line {
  send(text: string): void;
  terminate(): void;
  pause(): void;
  resume(): void;
  close(): void;
}

export type OpenLine = (
  url: string,
  cookie: string,
  on: { message(message: ServerMessage): void; close(code: number): void },
) => Promise<Line>;

const openSocketLine: OpenLine = async (url, cookie, on) => {
  const opened = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { cookie } });
  opened.on('message', (data) => on.message(JSON.parse(data.toString())));
  opened.on('close', on.close);
  await once(opened, 'open');
  return opened.on('error', () => {});
};

export type LineKind = 'socket' | 'stream';
export const LINES: Record<LineKind, OpenLine> = { socket: openSocketLine, stream: openStreamLine };

/** Repeats a request that is refused with 503, since clients have to retry while a replica has too much to do. */
async function untilAccepted<T>(open: () => Promise<T>): Promise<T> {
  const opened = await eventually(() =>
    open().catch((error: Error) => (error.message.includes('503') ? Promise.reject(error) : error)),
  );
  if (opened instanceof Error) throw opened;
  return opened;
}

let refs = 0;

/** A player waits so long for a message, ms, since the machine may be busy. */
const PATIENCE_MS = 30_000;

/** Signs a new user in without opening a socket. */
export async function createPlayer(services: Pick<Services, 'auth'>, url: string, name?: string, kind?: LineKind) {
  const user = await createSignedInUser(services, name ? { name } : {});
  return playerOf(user, url, kind);
}

export function playerOf(user: TestUser, url: string, kind: LineKind = 'socket') {
  const messages: ServerMessage[] = [];
  let line: Line | undefined;
  let isCurrent = {};
  let closed = Promise.withResolvers<number>();
  let lastSeq = 0;
  let arrival = Promise.withResolvers<void>();

  /** Calls `look` again at each message until it doesn't throw. */
  async function onMessages<T>(look: () => T): Promise<T> {
    const found = new AbortController();
    const late = sleep(PATIENCE_MS, 'late', found).catch(() => {});
    try {
      for (;;) {
        const { promise: arrived } = arrival;
        try {
          return look();
        } catch (error) {
          if ((await Promise.race([arrived, late])) === 'late') throw error;
        }
      }
    } finally {
      found.abort();
    }
  }

  const send = (message: object | string) =>
    line?.send(typeof message === 'string' ? message : JSON.stringify(message));

  async function reply<T extends 'ack' | 'error'>(type: T, message: object): Promise<Message<T>> {
    const ref = `ref-${++refs}`;
    send({ ...message, ref });
    const replied = await onMessages(() => {
      const found = messages.find((each) => 'ref' in each && each.ref === ref);
      if (!found) throw new Error(`${user.name} got no reply to ${JSON.stringify(message)}`);
      return found;
    });
    if (replied.type === type) return replied as Message<T>;
    throw new Error(`${JSON.stringify(message)} got ${JSON.stringify(replied)}`);
  }

  /** Waits for a message of this type. @param after how many messages to skip */
  function next<T extends Type>(type: T, matches: (message: Message<T>) => boolean = () => true, after = 0) {
    return onMessages((): Message<T> => {
      const found = messages.slice(after).find((message) => message.type === type && matches(message as never));
      if (!found) {
        const seen = messages.map((message) => message.type).join(', ');
        throw new Error(`${user.name} got no such ${type}, but: ${seen}`);
      }
      return found as never;
    });
  }

  return {
    user,
    http: createHttpClient(url, { cookie: user.cookie }),
    messages,
    lastSeq: () => lastSeq,
    /** Opens a line. @param at the address of another replica */
    async connect(at = url): Promise<void> {
      const mine = {};
      isCurrent = mine;
      const own = Promise.withResolvers<number>();
      closed = own;
      const on = {
        message(message: ServerMessage) {
          // Late messages of an earlier line are ignored.
          if (isCurrent !== mine) return;
          messages.push(message);
          if ('seq' in message) lastSeq = message.seq;
          arrival.resolve();
          arrival = Promise.withResolvers();
        },
        close: own.resolve,
      };
      line = await untilAccepted(() => LINES[kind](at, user.cookie, on));
    },
    send,
    next,
    /** Does something, or sends a message, and waits for one of this type that comes afterwards. */
    async nextAfter<T extends Type>(
      act: object | (() => unknown),
      type: T,
      matches?: (message: Message<T>) => boolean,
    ) {
      const seen = messages.length;
      await (typeof act === 'function' ? act() : send(act));
      return next(type, matches, seen);
    },
    /** Sends a message with a ref and waits for its error. @throws Error where it was acknowledged */
    refused: (message: object) => reply('error', message),
    /** Sends a message with a ref and waits for its ack. @throws Error where it was refused */
    acked: (message: object) => reply('ack', message),
    /** Destroys the connection without a close frame. */
    drop: () => line?.terminate(),
    /** Stops reading, as a hanging client does. */
    pause: () => line?.pause(),
    resume: () => line?.resume(),
    close() {
      line?.close();
      return closed.promise;
    },
    /** Waits until the service closes the line. @returns the close code */
    whenClosed: () => closed.promise,
  };
}

/** Creates a lobby in which all `players` are members and connected. @returns its code */
export async function gather(players: Player[], request: object = {}): Promise<string> {
  const [host, ...others] = players as [Player, ...Player[]];
  const { code } = await postUntilDone(host, '/api/v1/lobbies', request);
  for (const player of others) await postUntilDone(player, `/api/v1/lobbies/${code}/join`, {});
  for (const player of players) {
    player.send({ type: 'lobby:join', code });
    await player.next('lobby:state', ({ lobby }) => lobby.code === code);
  }
  const isComplete = ({ lobby }: Message<'lobby:state'>) => lobby.connectedCount === players.length;
  const complete = await host.next('lobby:state', (state) => state.lobby.code === code && isComplete(state));
  // An event may reach the players on another replica a moment later.
  for (const player of others) await player.next('lobby:state', ({ seq }) => seq >= complete.seq);
  return code;
}

/** Repeats a request until it succeeds, since clients have to retry after a 503. */
export function postUntilDone({ http }: Pick<Player, 'http'>, path: string, body: object): Promise<{ code: string }> {
  return eventually(async () => {
    const { status, body: lobby } = await http.post(path, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${lobby?.code}`);
    return lobby;
  });
}

export async function create({ http }: Player, body?: object) {
  const { status, body: lobby } = await http.post('/api/v1/lobbies', body);
  expect(status).toBe(201);
  return lobby;
}

export const join = ({ http }: Player, code: string) => http.post(`/api/v1/lobbies/${code}/join`);
export const read = ({ http }: Player, code: string) => http.get(`/api/v1/lobbies/${code}`);

/** Joins a lobby, over HTTP and by the open line. */
export async function enter(player: Player, code: string): Promise<void> {
  await postUntilDone(player, `/api/v1/lobbies/${code}/join`, {});
  await player.acked({ type: 'lobby:join', code });
}
