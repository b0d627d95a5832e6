// The dependencies of a gated process: the real stores behind its gate, and the shared jobs of the clocks.
import { createCodeMisses } from '../../../src/lobby/code-misses.ts';
import type { LobbyServices } from '../../../src/lobby/event-log.ts';
import { createLobbyWrites } from '../../../src/lobby/lobby-writes.ts';
import type { SocketServices } from '../../../src/realtime/handlers.ts';
import { type Gate, gatedDatabase, gatedPostgres, gatedRedis } from './gated-process.ts';
import { type ModelledLobby, ROUND_MS } from './lobby.ts';

/** @param hasFastClock whether the process's clock is ahead of every deadline */
export function processDeps(lobby: ModelledLobby, gate: Gate, hasFastClock: boolean): SocketServices {
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
