// The tasks of an interleaving's processes, which run the real use cases. Each task applies its effect to the
// model when it takes effect, and checks its outcome at the end.
import { expect } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createCodeMisses } from '../../../src/lobby/code-misses.ts';
import type { LobbyServices } from '../../../src/lobby/event-log.ts';
import { createLobbyWrites } from '../../../src/lobby/lobby-writes.ts';
import { restoreClocks } from '../../../src/match/clock/restore-clocks.ts';
import { type NextRun, runClock } from '../../../src/match/clock/run-clock.ts';
import { endPhase } from '../../../src/match/end-phase.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import { startMatch } from '../../../src/match/start-match.ts';
import type { SocketServices } from '../../../src/realtime/handlers.ts';
import { type Gate, gatedDatabase, gatedPostgres, gatedRedis } from './gated-process.ts';
import { createCommand, createKick } from './host.ts';
import { type ModelledLobby, ROUND_MS } from './lobby.ts';
import { createAnswer, createConnect, createDisconnect, createJoin, createLeave } from './players.ts';

/** @param hasFastClock whether the process's clock is ahead of every deadline */
function processDeps(lobby: ModelledLobby, gate: Gate, hasFastClock: boolean): SocketServices {
  const { db, postgres, redis, logger, lobbyId, clocks, preparedMatches, drawQuestions } = lobby;
  const live: LobbyServices & Pick<SocketServices, 'db'> = {
    db: gatedDatabase(db, gate),
    redis: gatedRedis(redis, gate),
    lobbyTtlMs: 60_000,
    processName: 'test',
    logBudget: { note() {} },
    pendingAnnouncements: { schedule: () => {} },
  };
  return {
    ...live,
    postgres: gatedPostgres(postgres, gate),
    logger,
    lobbyWrites: createLobbyWrites(live),
    codeMisses: createCodeMisses(gatedRedis(redis, gate), { codeMiss: 1e9, windowMs: 60_000 }),
    startLimit: { count: async () => {} },
    nowMs: () => Date.now() + (hasFastClock ? 2 * ROUND_MS : 0),
    drawQuestions,
    clock: {
      schedule: (prepared) =>
        gate('clock schedule', async () => {
          preparedMatches.set(prepared.gameId, prepared);
          clocks.set(prepared.gameId, prepared);
          const opened = () => {
            if (clocks.has(prepared.gameId)) clocks.set(prepared.gameId, null);
          };
          return { opened };
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
      lobbyOf: () => null,
      find: () => undefined,
      caughtUp: async () => {},
      skipTo: () => {},
      requestProgress: () => {},
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

export interface Task {
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
    default: {
      const create = {
        join: createJoin,
        connect: createConnect,
        disconnect: createDisconnect,
        leave: createLeave,
        kick: createKick,
      };
      return create[spec.do](lobby, users[spec.player] as { id: string; name: string });
    }
  }
}

/** Runs the oldest clock. */
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
      if (!('value' in outcome) || (outcome.value as NextRun | null)) return;
      if (isRunning()) expect(model.status()).toBe('finished');
    },
  };
}

export function expectSuccess(outcome: Outcome, isUndisturbed: boolean): void {
  if (isUndisturbed && 'error' in outcome) throw outcome.error;
}

export function expectRefusal({ error }: { error: unknown }, ...codes: string[]): void {
  if (!(error instanceof AppError)) throw error;
  expect(codes).toContain(error.code);
}
