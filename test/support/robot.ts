// A player who plays by itself and survives everything: it reconnects with the last event it saw
// and sends its answer again until it is known to stand.
import { setTimeout as sleep } from 'node:timers/promises';
import WebSocket from 'ws';
import type { ServerEvent, ServerMessage } from '../../src/realtime/schema.ts';
import type { TestUser } from './users.ts';

/** An event with the local time of its arrival. */
export interface Received {
  event: ServerEvent;
  atMs: number;
}

export interface Robot {
  user: TestUser;
  /** Every event, over all connections. */
  received: Received[];
  reconnections: number;
  /** Why its connections ended; attempts that came to none are not among them. */
  closeCodes: number[];
  /** What it chose, by question. */
  choices: Map<string, number>;
  send(message: object): void;
  /** Resolves when the game is finished for this player. */
  finished: Promise<void>;
  /** Breaks its connection; it comes back by itself. */
  drop(): void;
  stop(): void;
}

/**
 * @param thinkMs how long it waits before it answers; null: it never answers
 */
export function startRobot(
  url: string,
  user: TestUser,
  code: string,
  thinkMs: () => number | null,
): Robot {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  let socket: WebSocket | undefined;
  let isStopped = false;
  let open: { questionId: string; optionId: number } | null = null;

  const robot: Robot = {
    user,
    received: [],
    reconnections: -1,
    closeCodes: [],
    choices: new Map(),
    finished,
    send(message) {
      // What can't be sent now is sent when the connection is there.
      if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message), () => {});
    },
    drop: () => socket?.terminate(),
    stop() {
      isStopped = true;
      socket?.terminate();
    },
  };

  function connect(): void {
    if (isStopped) return;
    robot.reconnections++;
    const own = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
      headers: { cookie: user.cookie },
      handshakeTimeout: 10_000,
    });
    socket = own;
    let wasOpen = false;
    own.on('open', () => {
      wasOpen = true;
      join();
    });
    own.on('message', (data) => receive(JSON.parse(data.toString()) as ServerMessage));
    own.on('error', () => {});
    own.on('close', (code) => {
      if (!isStopped && wasOpen) robot.closeCodes.push(code);
      void sleep(50).then(connect);
    });
  }

  function join(): void {
    const last = robot.received.at(-1)?.event;
    robot.send({
      type: 'lobby:join',
      code,
      ref: 'join',
      ...(last ? { since: last.seq, mark: last.mark } : {}),
    });
    // It may have been lost with the old connection; if not, it stands and this one is refused.
    if (open) robot.send({ type: 'game:answer', ...open, ref: 'again' });
  }

  function receive(message: ServerMessage): void {
    if (message.type === 'error') {
      // A store is away for the moment: what was asked for is asked for again.
      if (message.code < 500) return;
      void sleep(100).then(() => {
        if (message.ref === 'join') join();
        else if (open) robot.send({ type: 'game:answer', ...open, ref: 'again' });
      });
      return;
    }
    robot.received.push({ event: message, atMs: Date.now() });
    if (message.type === 'game:question') void answer(message.question.questionId);
    if (message.type === 'game:answer_result') open = null;
    if (message.type === 'game:finished') finish();
  }

  async function answer(questionId: string): Promise<void> {
    const delayMs = thinkMs();
    if (delayMs === null || robot.choices.has(questionId)) return;
    const optionId = Math.floor(Math.random() * 4);
    robot.choices.set(questionId, optionId);
    await sleep(delayMs);
    open = { questionId, optionId };
    robot.send({ type: 'game:answer', ...open, ref: 'first' });
  }

  connect();
  return robot;
}
