// The tasks of an interleaving's processes, which run the real use cases. Each task applies its effect to the
// model when it takes effect, and checks its outcome at the end.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createCodeMisses } from '../../../src/lobby/find-lobby.ts';
import { joinLobby } from '../../../src/lobby/join-lobby.ts';
import { createLobbyWrites } from '../../../src/lobby/lobby-writes.ts';
import { createRunningLobbies } from '../../../src/lobby/running-lobbies.ts';
import { restoreClocks } from '../../../src/match/clock/restore-clocks.ts';
import { runClock } from '../../../src/match/clock/run-clock.ts';
import { endPhase } from '../../../src/match/end-phase.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import { startMatch } from '../../../src/match/start-match.ts';
import { submitAnswer } from '../../../src/match/submit-answer.ts';
import { isOutage } from '../../../src/platform/outages/outage.ts';
import type { Connection } from '../../../src/realtime/connection.ts';
import { detachSocket, type SocketServices } from '../../../src/realtime/enter-lobby.ts';
import { createDispatch } from '../../../src/realtime/messages.ts';
import type { Room } from '../../../src/realtime/rooms.ts';
import type { ClientMessage } from '../../../src/realtime/schema.ts';
import { type Gate, gatedDatabase, gatedPostgres, gatedRedis } from './gated-process.ts';
import { type ModelledLobby, PROCESS, ROUND_MS, type SentAnswer, type User } from './lobby.ts';
import type { HostCommand } from './match-model.ts';

/** @param hasFastClock whether the process's clock is ahead of every deadline */
function processDeps(lobby: ModelledLobby, gate: Gate, hasFastClock: boolean): SocketServices {
  const { db, postgres, redis, logger, lobbyId, clocks, preparedMatches, drawQuestions } = lobby;
  const stores = {
    db: gatedDatabase(db, gate),
    postgres: gatedPostgres(postgres, gate),
    redis: gatedRedis(redis, gate),
  };
  const live = { ...stores, ...PROCESS };
  return {
    ...live,
    logger,
    lobbyWrites: createLobbyWrites(live),
    runningLobbies: createRunningLobbies(),
    codeMisses: createCodeMisses(stores.redis, { codeMiss: 1e9, windowMs: 60_000 }),
    config: { rateLimits: { game: 1e9, windowMs: 60_000 } },
    nowMs: () => Date.now() + (hasFastClock ? 2 * ROUND_MS : 0),
    drawQuestions,
    clock: {
      schedule: (prepared) =>
        gate('clock schedule', async () => {
          preparedMatches.set(prepared.gameId, prepared);
          clocks.set(prepared.gameId, prepared);
          return () => {
            if (clocks.has(prepared.gameId)) clocks.set(prepared.gameId, null);
          };
        }),
      findUnscheduled: (games) => gate('clock find', async () => games.filter(({ gameId }) => !clocks.has(gameId))),
      restore: ({ gameId }) =>
        gate('clock restore', async () => {
          if (!clocks.has(gameId)) clocks.set(gameId, null);
        }),
      find: async () => undefined,
      reschedule: () => {},
      remove: () => {},
      close: async () => {},
    },
    // Interleavings do not check what sockets receive.
    rooms: {
      enter: async () => true,
      leave: () => lobbyId,
      roomOf: () => undefined,
      find: () => undefined,
      occupied: () => [],
      resubscribe: () => {},
    },
  };
}

/** `player` is an index in the lobby's `users`, or among the players whose answer is awaited. */
export type TaskSpec =
  | { do: 'start' | 'touch' | 'clock' | 'sweep' }
  | { do: 'join' | 'connect' | 'disconnect' | 'leave' | 'kick'; player: number }
  /** Ends the open phase, or another one if `isStale`. */
  | { do: 'next'; isStale: boolean }
  | { do: 'end' }
  | { do: 'answer'; player: number; isAwaited: boolean; to: 'open' | 'earlier' | 'foreign'; optionId: number };

export type Outcome = { value: unknown } | { error: unknown };

interface Task {
  /** The user of the task. Joins, leaves and connections of one user don't run concurrently. */
  userId?: string;
  body(deps: SocketServices): Promise<unknown>;
  /** Applies the effect of a script to the model. @param reply the script's reply */
  effect?(script: string, reply: unknown): void;
  /** Checks the outcome. @param isUndisturbed whether the task met no outage */
  ended(outcome: Outcome, isUndisturbed: boolean): void;
  /** @returns the phase that was due when the task began, or that it made due */
  duePhase?(): number | null;
}

export type GatedTask = Omit<Task, 'body'> & { body(gate: Gate): Promise<unknown> };

/**
 * @param hasFastClock whether the process's clock is ahead of every deadline
 * @returns null if there is nothing to do
 */
export function createTask(lobby: ModelledLobby, spec: TaskSpec, hasFastClock: boolean): GatedTask | null {
  const task = taskOf(lobby, spec);
  return task && { ...task, body: (gate) => task.body(processDeps(lobby, gate, hasFastClock)) };
}

function taskOf(lobby: ModelledLobby, spec: TaskSpec): Task | null {
  const { model, lobbyId, users, leaving } = lobby;
  const hostId = users[0]?.id as string;
  const dueNow = model.isDue() ? model.phase() : null;
  switch (spec.do) {
    case 'start':
      return {
        body: (deps) => startMatch(deps, lobbyId, hostId),
        ended(outcome, isUndisturbed) {
          if (!isUndisturbed || 'value' in outcome) return;
          const left = leaving.has(hostId) ? ['NOT_IN_LOBBY', 'NOT_HOST'] : [];
          expectRefusal(outcome, 'LOBBY_NOT_WAITING', ...left);
        },
      };
    case 'touch':
      return { body: (deps) => endPhase(deps, lobbyId), ended: expectSuccess, duePhase: () => dueNow };
    case 'sweep':
      return { body: (deps) => restoreClocks(deps), ended: expectSuccess };
    case 'clock':
      return createClockRun(lobby, dueNow);
    case 'answer':
      return createAnswer(lobby, spec);
    case 'next':
    case 'end':
      return createCommand(lobby, spec);
    default:
      return MOVES[spec.do](lobby, users[spec.player] as User);
  }
}

function createClockRun({ clocks, model, lobbyId }: ModelledLobby, dueNow: number | null): Task | null {
  const [gameId, prepared] = clocks.entries().next().value ?? [];
  if (!gameId) return null;
  const isRunning = () => model.prepared()?.gameId === gameId;
  return {
    duePhase: () => (isRunning() ? dueNow : null),
    async body(deps) {
      const next = await runClock(deps, { lobbyId, gameId, prepared: prepared ?? null });
      // BullMQ delays or removes the job with the command of this connection; a ping stands for it.
      await deps.redis.ping();
      if (next) clocks.set(gameId, next.data.prepared as PreparedMatch | null);
      else clocks.delete(gameId);
      return next;
    },
    ended(outcome, isUndisturbed) {
      expectSuccess(outcome, isUndisturbed);
      if (!('value' in outcome) || (outcome.value as Awaited<ReturnType<typeof runClock>>)) return;
      if (isRunning()) expect(model.status()).toBe('finished');
    },
  };
}

function expectSuccess(outcome: Outcome, isUndisturbed: boolean): void {
  if (isUndisturbed && 'error' in outcome) throw outcome.error;
}

export function expectRefusal({ error }: { error: unknown }, ...codes: string[]): void {
  if (!(error instanceof AppError)) throw error;
  expect(codes).toContain(error.code);
}

// The tasks of a game's host. [contract 11]

const NOT_HOST_ANY_MORE = ['NOT_IN_LOBBY', 'NOT_HOST'];

/** Sends a message of a user whose socket is in the lobby. */
function sendAs(user: User, { lobbyId }: ModelledLobby, message: ClientMessage): Task['body'] {
  return (deps) => {
    const room = { lobbyId } as Room;
    return createDispatch({ ...deps, rooms: { ...deps.rooms, roomOf: () => room } })(socketOf(user), message);
  };
}

/** Sends a message of the first user, who may no longer be the host. */
const sendAsFirstUser = (lobby: ModelledLobby, message: ClientMessage) =>
  sendAs(lobby.users[0] as User, lobby, message);

/** Ends a phase or the game. */
function createCommand(lobby: ModelledLobby, spec: Extract<TaskSpec, { do: 'next' | 'end' }>): Task {
  const { model, leaving, users } = lobby;
  const command = commandOf(lobby, spec);
  const { do: what, ...named } = command;
  let reply: unknown;
  let due: number | null = null;
  return {
    body: sendAsFirstUser(lobby, { type: `game:${what}`, ...named } as ClientMessage),
    effect(script, replied) {
      if (script !== 'skip-phase') return;
      reply = replied;
      expect(replied).toBe(model.command(command));
      due = replied === 'due' || replied === 'OVERDUE' ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('value' in outcome) return expect(reply).toBe('due');
      const left = leaving.has(users[0]?.id as string) ? NOT_HOST_ANY_MORE : [];
      if (reply === undefined) expectRefusal(outcome, 'NOT_IN_GAME', ...left);
      else expectRefusal(outcome, reply === 'NOT_IN_GAME' ? reply : 'ROUND_CLOSED');
    },
  };
}

function commandOf({ model }: ModelledLobby, spec: Extract<TaskSpec, { do: 'next' | 'end' }>): HostCommand {
  if (spec.do === 'end') return { do: 'end' };
  const phase = (model.status() === 'intermission') !== spec.isStale ? 'intermission' : 'round';
  return { do: 'next', round: Math.max(1, model.round()), phase };
}

function createKick(lobby: ModelledLobby, user: User): Task | null {
  const { model, present, leaving, gone, users } = lobby;
  if (user === users[0]) return null;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body: sendAsFirstUser(lobby, { type: 'lobby:kick', userId: user.id }),
    ...departureOf(lobby, user),
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('error' in outcome) {
        expectRefusal(outcome, 'PLAYER_NOT_FOUND', ...NOT_HOST_ANY_MORE);
      } else if (model.status() !== 'finished') gone.add(user.id);
    },
  };
}

/** A player who leaves or is removed may complete the round. */
function departureOf({ model }: ModelledLobby, { id }: User): Pick<Task, 'effect' | 'duePhase'> {
  let due: number | null = null;
  return {
    effect(script, reply) {
      if (script !== 'leave-match') return;
      model.leave(id);
      due = reply === 'complete' ? model.phase() : null;
    },
    duePhase: () => due,
  };
}

// The tasks of players: they join over HTTP, connect and disconnect sockets, answer, and leave. The handlers
// of their messages are the real ones.

function socketOf({ id, name }: User): Connection {
  const user = { id, name, email: '', sessionId: '' };
  const address = '127.0.0.1';
  return { id: `of-${id}`, userId: id, userName: name, user, address, send() {} } as Partial<Connection> as Connection;
}

function createJoin({ code, gone }: ModelledLobby, { id }: User): Task {
  gone.delete(id);
  return {
    userId: id,
    body: (deps) => joinLobby(deps, code, { userId: id, address: '127.0.0.1' }),
    ended(outcome, isUndisturbed) {
      if (isUndisturbed && 'error' in outcome) expectRefusal(outcome, 'LOBBY_NOT_WAITING', 'KICKED');
    },
  };
}

function createConnect(lobby: ModelledLobby, user: User): Task {
  const { model, present } = lobby;
  // A socket first leaves the lobby that it is in.
  present.delete(user.id);
  return {
    userId: user.id,
    body: (deps) => createDispatch(deps)(socketOf(user), { type: 'lobby:join', code: lobby.code }),
    effect(script, reply) {
      if (script === 'enter-match') expect(reply).toBe(model.enter(user.id, user.name, reply));
    },
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('error' in outcome) return expectRefusal(outcome, 'NOT_A_MEMBER', 'KICKED');
      present.add(user.id);
      // A member who was not connected at the start becomes a player.
      const isPlayer = model.status() === 'open' && model.prepared()?.presenterId !== user.id;
      if (isPlayer) expect(model.find(user.id)).toBeDefined();
    },
  };
}

function createDisconnect({ present }: ModelledLobby, user: User): Task {
  present.delete(user.id);
  return { userId: user.id, body: (deps) => detachSocket(deps, socketOf(user)), ended: expectSuccess };
}

function createLeave(lobby: ModelledLobby, user: User): Task {
  const { model, present, leaving, gone } = lobby;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body: sendAs(user, lobby, { type: 'lobby:leave' }),
    ...departureOf(lobby, user),
    ended(outcome, isUndisturbed) {
      expectSuccess(outcome, isUndisturbed);
      if (isUndisturbed && model.status() !== 'finished') gone.add(user.id);
    },
  };
}

function createAnswer({ model, lobbyId, users, sent }: ModelledLobby, spec: Extract<TaskSpec, { do: 'answer' }>): Task {
  const { optionId, player } = spec;
  const awaited = spec.isAwaited ? model.players().filter((one) => one.awaited) : [];
  const userId = awaited[player % awaited.length]?.userId ?? (users[player]?.id as string);
  const token = randomUUID();
  const of = { open: model.round(), earlier: model.round() - 1, foreign: 0 }[spec.to];
  const questionId = model.prepared()?.questions[of - 1]?.question.questionId ?? randomUUID();
  const answer: SentAnswer = { userId, questionId, optionId, isAcknowledged: false };
  let expected = '';
  let due: number | null = null;
  return {
    body: (deps) => submitAnswer(deps, lobbyId, { userId, questionId, given: { optionId }, token }),
    effect(script, reply) {
      if (script !== 'store-answer') return;
      expected = model.answer(userId, questionId, optionId, token);
      if (expected === 'stored' && !sent.includes(answer)) sent.push(answer);
      // If the answer completes the round, the reply is an array with the game.
      const isOver = Array.isArray(reply) || reply === 'complete' || reply === 'OVERDUE';
      due = isOver ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      if ('value' in outcome) {
        expect(expected).toBe('stored');
        answer.isAcknowledged = true;
      } else if (isUndisturbed || !isOutage(outcome.error)) expectRefusal(outcome, expected);
    },
  };
}

const MOVES = {
  join: createJoin,
  connect: createConnect,
  disconnect: createDisconnect,
  leave: createLeave,
  kick: createKick,
};
