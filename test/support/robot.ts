// A player who plays by itself and survives everything: it reconnects with the last event it saw
// and sends its answer again until it is known to stand. It remembers all that it said and heard.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ErrorMessage, ServerEvent, ServerMessage } from '../../src/realtime/schema.ts';
import type { TestUser } from './users.ts';

/** An event with the local time of its arrival. */
export interface Received {
  event: ServerEvent;
  atMs: number;
  /** Which of its connections brought it, from 0. */
  connection: number;
}

export interface Sent {
  message: { type: string; [field: string]: unknown };
  atMs: number;
  connection: number;
  /** What came back, if anything did. */
  refusal: (Pick<ErrorMessage, 'code' | 'reason'> & { atMs: number }) | null;
}

export interface Connected {
  wantedAtMs: number;
  openedAtMs: number | null;
  closedAtMs: number | null;
}

export interface Robot {
  user: TestUser;
  /** Every event, over all connections. */
  received: Received[];
  sent: Sent[];
  connections: Connected[];
  reconnections: number;
  /** Why its connections ended; attempts that came to none are not among them. */
  closeCodes: number[];
  /** What it chose, by question. */
  choices: Map<string, number>;
  send(message: Sent['message']): void;
  /** Resolves when the game is finished for this player. */
  finished: Promise<void>;
  /** Breaks its connection; it comes back by itself. */
  drop(): void;
  stop(): void;
}

export interface RobotOptions {
  random?: () => number;
  /** Whether it sends each answer twice, so as to hear that the first one stands. */
  asksTwice?: boolean;
  handshakeTimeoutMs?: number;
}

/**
 * @param thinkMs how long it waits before it answers; null: it never answers
 */
export function startRobot(
  url: string,
  user: TestUser,
  code: string,
  thinkMs: () => number | null,
  { random = Math.random, asksTwice = false, handshakeTimeoutMs = 10_000 }: RobotOptions = {},
): Robot {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let socket: WebSocket | undefined;
  let isStopped = false;
  let open: { questionId: string; optionId: number } | null = null;
  /** A release from before the marks refuses them. [contract 16] */
  let sendsMarks = true;

  const robot: Robot = {
    user,
    received: [],
    sent: [],
    connections: [],
    reconnections: -1,
    closeCodes: [],
    choices: new Map(),
    finished,
    send(message) {
      // What can't be sent now is sent when the connection is there.
      if (socket?.readyState !== WebSocket.OPEN) return;
      const named = { ref: `${robot.sent.length}`, ...message };
      const connection = robot.reconnections;
      robot.sent.push({ message: named, atMs: Date.now(), connection, refusal: null });
      socket.send(JSON.stringify(named), () => {});
    },
    drop: () => socket?.terminate(),
    stop() {
      isStopped = true;
      socket?.terminate();
    },
  };

  function connect(): void {
    if (isStopped) return;
    const connection = ++robot.reconnections;
    const own = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
      headers: { cookie: user.cookie },
      handshakeTimeout: handshakeTimeoutMs,
    });
    socket = own;
    const life: Connected = { wantedAtMs: Date.now(), openedAtMs: null, closedAtMs: null };
    robot.connections.push(life);
    own.on('open', () => {
      life.openedAtMs = Date.now();
      join();
    });
    own.on('message', (data) => {
      // What an earlier connection still has to say comes to nobody.
      if (own === socket) receive(JSON.parse(data.toString()) as ServerMessage, connection);
    });
    own.on('error', () => {});
    own.on('close', (code) => {
      life.closedAtMs = Date.now();
      if (!isStopped && life.openedAtMs) robot.closeCodes.push(code);
      void sleep(50).then(connect);
    });
  }

  function join(): void {
    const last = robot.received.at(-1)?.event;
    const mark = sendsMarks ? { mark: last?.mark } : {};
    robot.send({ type: 'lobby:join', code, ...(last ? { since: last.seq, ...mark } : {}) });
    // It may have been lost with the old connection; if not, it stands and this one is refused.
    sayAnswer();
  }

  function sayAnswer(): void {
    if (open) robot.send({ type: 'game:answer', ...open });
  }

  function receive(message: ServerMessage, connection: number): void {
    const atMs = Date.now();
    if (message.type === 'error') {
      refused(message, connection, atMs);
      return;
    }
    if (!('seq' in message)) return;
    robot.received.push({ event: message, atMs, connection });
    if (message.type === 'game:question') void answer(message.question.questionId);
    if (message.type === 'game:answer_result') open = null;
    if (message.type === 'game:finished') finish();
  }

  function refused({ ref, code, reason }: ErrorMessage, connection: number, atMs: number): void {
    const sent = robot.sent[Number(ref)];
    if (!sent) return;
    sent.refusal = { code, reason, atMs };
    const isJoin = sent.message.type === 'lobby:join';
    if (isJoin && code === 400) sendsMarks = false;
    // A store is away for the moment: what was asked for is asked for again.
    if (code < 500 && !(isJoin && code === 400)) return;
    void sleep(100).then(() => {
      if (connection !== robot.reconnections) return;
      if (isJoin) join();
      else if (sent.message.questionId === open?.questionId) sayAnswer();
    });
  }

  async function answer(questionId: string): Promise<void> {
    const delayMs = thinkMs();
    if (delayMs === null || robot.choices.has(questionId)) return;
    const optionId = Math.floor(random() * 4);
    robot.choices.set(questionId, optionId);
    await sleep(delayMs);
    open = { questionId, optionId };
    sayAnswer();
    if (asksTwice) sayAnswer();
  }

  connect();
  return robot;
}
