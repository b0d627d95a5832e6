// Plays rooms of players who answer every question, and records their messages and delays. A single process
// plays all of them beside what it measures, so that it parses as little as possible. The client library
// would parse and check everything, and does not support the floors' messages.
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { ApiError } from '../../src/client/index.ts';
import { openWebSocket } from './socket.ts';

/** The rooms of a run. */
export interface Field {
  rooms: number;
  players: number;
  rounds: number;
  /** How long a player thinks, ms: evenly distributed between both values. */
  thinkMs: [least: number, most: number];
  /** Whether all players enter at the same time, instead of one after the other. */
  atOnce?: boolean;
  /** Called once in each room: the last answer of its game is sent when the promise resolves. */
  holdLastAnswer?: () => Promise<void>;
}

/** The protocol of a contender. */
export interface Wire {
  /** The path of its sockets. */
  path: string;
  join(seat: Seat): string;
  start(seat: Seat): string;
  answer(seat: Seat, round: number, questionId: string): string;
  /**
   * Reads a frame, and may reply to it by `say`.
   * @returns the JSON of an event, '' for the reply to `hello`, or null for any other frame
   */
  read(text: string, say: (text: string) => void): string | null;
  /** The first frame of a client, if it is not that of `join`. */
  hello?: string;
}

/** A player's place in a room. */
export interface Seat extends Pick<Field, 'players' | 'rounds'> {
  url: string;
  room: string;
  user: string;
  cookie: string;
}

/** What the players of a room have received. */
export type Played = ReturnType<typeof nothingYet>;

const nothingYet = () => ({
  /** The number of received messages of all kinds. */
  delivered: 0,
  /** Their total length. */
  bytes: 0,
  /** The number of `lobby:state` after the first question; a running game should have none. */
  surplus: 0,
  /** The times from sending each round's last answer to each of its results, ms. */
  lateMs: [] as number[],
  /** The times from sending the game's last answer to each `game:finished`, ms. */
  endMs: [] as number[],
});

export type Room = Awaited<ReturnType<typeof openRoom>>;

const TIMEOUT_MS = 120_000;
/** How long a client waits after a refusal because of overload, ms: at random between once and twice as long. */
export const REFUSED_PAUSE_MS = 500;
const QUESTION_ID = /"questionId":"([^"]+)"/;
/** The codes of refusals: because of overload, and of an answer that has come before. */
const [BUSY, ANSWERED] = ['503', '409'];
const refusalOf = (event: string) => /^{"type":"error","code":(\d+)/.exec(event)?.[1];
const roundOf = (event: string) => Number(/"round":(\d+)/.exec(event)?.[1]);

/** Opens the sockets of a room, in the order of its seats or at once, and resolves when all have joined. */
export async function openRoom(wire: Wire, seats: Seat[], field: Field) {
  const { thinkMs, holdLastAnswer } = field;
  const played = nothingYet();
  const done = Promise.withResolvers<Played>();
  /** By round. */
  const lastAnswerMs: number[] = [];
  let finished = 0;
  let isStarted = false;
  /** How each player answers the last question. */
  const answers = new Map<Seat, () => void>();
  const think = () => thinkMs[0] + Math.random() * (thinkMs[1] - thinkMs[0]);

  function see(seat: Seat, socket: WebSocket, event: string): void {
    played.delivered++;
    played.bytes += event.length;
    switch (event.slice(9, event.indexOf('"', 9))) {
      case 'game:question': {
        const round = roundOf(event);
        const [, questionId = ''] = QUESTION_ID.exec(event) ?? [];
        const answer = () => {
          lastAnswerMs[round] = performance.now();
          socket.send(wire.answer(seat, round, questionId));
        };
        answers.set(seat, answer);
        const isLast = round === seat.rounds && seat === seats.at(-1);
        if (isLast && holdLastAnswer) void holdLastAnswer().then(answer);
        else if (thinkMs[1] === 0) answer();
        else setTimeout(answer, think());
        return;
      }
      case 'game:answer_result':
        played.lateMs.push(performance.now() - (lastAnswerMs[roundOf(event)] ?? Number.NaN));
        return;
      case 'game:finished':
        played.endMs.push(performance.now() - (lastAnswerMs[seat.rounds] ?? Number.NaN));
        if (++finished === seats.length) done.resolve(played);
        return;
      case 'lobby:state':
        if (answers.has(seat)) played.surplus++;
        return;
      case 'error':
        if (refusalOf(event) === BUSY) setTimeout(() => repeat(seat, socket), REFUSED_PAUSE_MS);
        else if (refusalOf(event) !== ANSWERED) done.reject(new Error(`A player got ${event}`));
        return;
      default:
        done.reject(new Error(`A player got ${event}`));
    }
  }

  /** Sends a player's last message again, which was refused because of overload. */
  function repeat(seat: Seat, socket: WebSocket): void {
    const start = () => socket.send(wire.start(seat));
    const join = () => socket.send(wire.join(seat));
    const again = answers.get(seat) ?? (isStarted && seat === seats[0] ? start : join);
    again();
  }

  async function enter(seat: Seat): Promise<WebSocket> {
    const socket = await untilAdmitted(() => openSocket(wire, seat));
    socket.on('message', (data: Buffer) => {
      const event = wire.read(data.toString(), (text) => socket.send(text));
      if (event !== null) see(seat, socket, event);
    });
    return socket;
  }

  const sockets = field.atOnce ? await Promise.all(seats.map(enter)) : [];
  if (!field.atOnce) for (const seat of seats) sockets.push(await enter(seat));
  return {
    /** The lobby's code, or the room of a floor. */
    code: seats[0]?.room ?? '',
    /** What its players have received since `play` was called. */
    played,
    play(): Promise<Played> {
      Object.assign(played, nothingYet());
      isStarted = true;
      sockets[0]?.send(wire.start(seats[0] as Seat));
      const timer = setTimeout(() => done.reject(new Error('A game did not end.')), TIMEOUT_MS);
      return done.promise.finally(() => clearTimeout(timer));
    },
    close(): void {
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Repeats what the service refuses because it is busy, as clients do. */
export async function untilAdmitted<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      const isBusy = error instanceof ApiError ? error.isPassing : /503$/.test(String(error));
      if (!isBusy) throw error;
      await sleep(REFUSED_PAUSE_MS * (1 + Math.random()));
    }
  }
}

/** Opens a socket and resolves at the first event of the room. */
async function openSocket(wire: Wire, seat: Seat): Promise<WebSocket> {
  const socket = await openWebSocket(seat.url, seat.cookie, wire.path);
  const say = (text: string) => socket.send(text);
  const messages = on(socket, 'message', { close: ['close'] });
  say(wire.hello ?? wire.join(seat));
  for await (const [data] of messages) {
    const event = wire.read(data.toString(), say);
    if (event === '') say(wire.join(seat));
    if (!event) continue;
    const refusal = refusalOf(event);
    if (refusal === undefined) return socket;
    socket.terminate();
    throw new Error(`A player was refused: ${refusal}`);
  }
  throw new Error('A socket was closed.');
}

// The socket protocols that are compared: the service's, the bare floor's, and Socket.IO's.

export const OURS: Wire = {
  path: '/ws',
  join: ({ room }) => JSON.stringify({ type: 'lobby:join', code: room }),
  start: () => JSON.stringify({ type: 'lobby:start' }),
  answer: (_seat, _round, questionId) => JSON.stringify({ type: 'game:answer', questionId, optionId: 1 }),
  read: (text) => text,
};

const floorMessage = (type: string, { room, user, players, rounds }: Seat, round = 0) =>
  JSON.stringify({ type, room, user, players, rounds, round });

export const FLOOR: Wire = {
  path: '/',
  join: (seat) => floorMessage('join', seat),
  start: (seat) => floorMessage('start', seat),
  answer: (seat, round) => floorMessage('answer', seat, round),
  read: (text) => text,
};

/** The prefix of an Engine.IO packet with an event named `m`. */
const EVENT = '42["m",';
const event = (json: string) => `${EVENT}${json}]`;

export const SOCKET_IO: Wire = {
  path: '/socket.io/?EIO=4&transport=websocket',
  join: (seat) => event(FLOOR.join(seat)),
  start: (seat) => event(FLOOR.start(seat)),
  answer: (seat, round, questionId) => event(FLOOR.answer(seat, round, questionId)),
  hello: '40',
  read(text, say) {
    if (text === '2') say('3');
    if (text.startsWith(EVENT)) return text.slice(EVENT.length, -1);
    // The reply to the first frame, after which the client may send messages.
    return text.startsWith('40') ? '' : null;
  },
};
