// What a process of a storm holds: the real stores behind its gate, and a hand on the clocks' jobs.
import { createCodeMisses } from '../../../src/lobby/code-misses.ts';
import type { HandlerDeps } from '../../../src/realtime/handlers/handler.ts';
import { ROUND_MS, type StormLobby } from './lobby.ts';
import { type Gate, gatedDatabase, gatedRedis } from './stepper.ts';

/** @param hasFastClock whether the process thinks that every deadline has passed */
export function processDeps(lobby: StormLobby, gate: Gate, hasFastClock: boolean): HandlerDeps {
  const { db, redis, logger, lobbyId, clocks, plans, drawQuestions } = lobby;
  return {
    db: gatedDatabase(db, gate),
    redis: gatedRedis(redis, gate),
    logger,
    lobbyTtlMs: 60_000,
    processName: 'test',
    owedStates: { payIn: () => {} },
    codeMisses: createCodeMisses(gatedRedis(redis, gate), { codeMiss: 1e9, windowMs: 60_000 }),
    nowMs: () => Date.now() + (hasFastClock ? 2 * ROUND_MS : 0),
    drawQuestions,
    clock: {
      wind: (plan) =>
        gate('clock wind', async () => {
          plans.set(plan.gameId, plan);
          clocks.set(plan.gameId, plan);
        }),
      sleepless: async (games) => [...games],
      rewind: ({ gameId }) =>
        gate('clock rewind', async () => {
          if (clocks.has(gameId)) return false;
          clocks.set(gameId, null);
          return true;
        }),
      find: async () => undefined,
      places: async () => [],
      hasten: () => {},
      remove: async () => {},
      close: async () => {},
    },
    // What sockets are sent is not the storm's matter.
    rooms: {
      enter: async () => true,
      leave: () => lobbyId,
      lobbyOf: () => null,
      find: () => undefined,
      showProgress: () => {},
      occupied: () => [],
      resubscribe: () => {},
    },
  };
}
