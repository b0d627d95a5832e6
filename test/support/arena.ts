// Everything that a multiplayer test needs: stores, replicas and workers in this process, players.
import { afterAll, beforeAll } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { createServices } from '../../src/services.ts';
import type { Consumer } from '../../worker/consume.ts';
import { startJobs } from '../../worker/jobs.ts';
import { eventually } from './eventually.ts';
import { createPlayer, type Player } from './player.ts';
import { type StoreAddresses, startReplicas, type TestService } from './service.ts';
import { startStores, type TestStores } from './stores.ts';
import { loadTestVocabulary } from './vocabulary.ts';

export interface Arena {
  stores: TestStores;
  replicas: TestService[];
  /** @param replica which one the player's client talks to, from 0 */
  player(name: string, replica?: number): Promise<Player>;
  /** Players with open sockets, spread over the replicas in turn. */
  players(...names: string[]): Promise<Player[]>;
  startWorker(): Promise<{ stop(): Promise<void> }>;
  stop(): Promise<void>;
}

export interface ArenaOptions {
  replicas?: number;
  workers?: number;
  /** Of each master of a Redis Cluster. */
  redisReplicas?: number;
  /** Overrides of the replicas' and workers' environment. */
  env?: NodeJS.ProcessEnv;
  /** @returns where the replicas and workers find the stores: behind proxies, say */
  through?(stores: TestStores): Promise<StoreAddresses>;
  /** Where log lines go, with a LOG_LEVEL in `env`. */
  log?: NodeJS.WritableStream;
}

/** One for all tests of a file; it is there from its first `beforeAll` on. */
export function useArena(options?: ArenaOptions): Arena {
  const arena = {} as Arena;
  beforeAll(async () => void Object.assign(arena, await startArena(options)));
  afterAll(() => arena.stop());
  return arena;
}

export async function startArena(options: ArenaOptions = {}): Promise<Arena> {
  const { replicas: count = 2, workers: workerCount = 1, env = {}, log } = options;
  const stores = await startStores(options);
  await loadTestVocabulary(stores.databaseUrl);
  const addresses = (await options.through?.(stores)) ?? stores;
  const replicas = await startReplicas(addresses, count, env, log);
  const open: Player[] = [];
  const workers = new Set<{ stop(): Promise<void> }>();
  const { config } = replicas[0] as TestService;

  const arena: Arena = {
    stores,
    replicas,
    async player(name, replica = 0) {
      const { services, url } = replicas[replica] as TestService;
      // On a busy machine the first query can take longer than the service waits.
      const player = await eventually(() => createPlayer(services, url, name));
      open.push(player);
      return player;
    },
    async players(...names) {
      const all = await Promise.all(names.map((name, i) => arena.player(name, i % count)));
      // As clients do: who is not let in at the moment tries again.
      await Promise.all(all.map((player) => eventually(() => player.connect())));
      return all;
    },
    async startWorker() {
      const services = createServices(config, createLogger(config.logLevel, 'worker', log));
      const jobs: Consumer = startJobs(services);
      const worker = {
        async stop() {
          workers.delete(worker);
          await jobs.close();
          await services.stop();
        },
      };
      workers.add(worker);
      return worker;
    },
    async stop() {
      for (const player of open) player.drop();
      await Promise.all([...workers].map((worker) => worker.stop()));
      await Promise.all(replicas.map((replica) => replica.stop()));
      await stores.stop();
    },
  };
  for (let index = 0; index < workerCount; index++) await arena.startWorker();
  return arena;
}
