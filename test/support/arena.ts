// An arena is everything that a multiplayer test needs: stores, replicas, workers and players.
import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import { afterAll, beforeEach } from 'vitest';
import { createCommonServices } from '../../src/common-services.ts';
import { lobbyKeys } from '../../src/lobby/keys.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { startJobs } from '../../worker/jobs.ts';
import { eventually } from './eventually.ts';
import { forAllTests } from './for-all-tests.ts';
import { appendEvents, openLobby } from './game.ts';
import { createPlayer, type LineKind, type Named, type Player, playerOf } from './player.ts';
import {
  SHORT_OUTAGES,
  type StoreAddresses,
  startReplicas,
  startService,
  type TestService,
  useProxy,
} from './service.ts';
import { startStores, type TestStores } from './stores.ts';
import { startProxyOf, type TcpProxy } from './tcp-proxy.ts';

export type Arena = Awaited<ReturnType<typeof startArena>>;

interface ArenaOptions {
  replicas?: number;
  workers?: number;
  /** The number of replicas of each master of a Redis Cluster. */
  redisReplicas?: number;
  env?: NodeJS.ProcessEnv;
  /** @returns the addresses by which replicas and workers reach the stores, such as those of proxies */
  through?(stores: TestStores): Promise<StoreAddresses>;
  /** The stream that gets the log lines; LOG_LEVEL in `env` has to enable them. */
  log?: NodeJS.WritableStream;
}

export const useArena = (options?: ArenaOptions): Arena => forAllTests(() => startArena(options));

export async function startArena(options: ArenaOptions = {}) {
  const { replicas: count = 2, workers: workerCount = 1, env = {}, log } = options;
  const stores = await startStores({ ...options, hasWords: true });
  const addresses = (await options.through?.(stores)) ?? stores;
  const replicas = await startReplicas(addresses, count, { ...(options.through && SHORT_OUTAGES), ...env }, log);
  const open: Player[] = [];
  const workers = new Set<{ stop(): Promise<void> }>();
  const [{ config, services }] = replicas;

  /** @param replica the index of the replica that the player's client connects to */
  async function player(name: string, replica = 0, kind: LineKind = 'socket'): Promise<Player> {
    const at = replicas[replica] as TestService;
    // On a busy machine the first query can exceed the service's timeout.
    const created = await eventually(() => createPlayer(at.services, at.url, name, kind));
    open.push(created);
    return created;
  }

  async function startWorker() {
    const own = createCommonServices(config, createLogger(config.logLevel, 'worker', log));
    const jobs = startJobs(own);
    const worker = {
      async stop(): Promise<void> {
        workers.delete(worker);
        await jobs.close();
        await own.stop();
      },
    };
    workers.add(worker);
    return worker;
  }

  for (let index = 0; index < workerCount; index++) await startWorker();
  return {
    stores,
    replicas,
    services,
    player,
    /** Creates players with open sockets, distributed over the replicas in turn. */
    async players<Names extends string[]>(...names: Names): Promise<Named<Names>> {
      const all = await Promise.all(names.map((name, i) => player(name, i % count)));
      await Promise.all(all.map((each) => each.connect()));
      return all as Named<Names>;
    },
    startWorker,
    async stop(): Promise<void> {
      for (const each of open) each.drop();
      await Promise.all([...workers].map((worker) => worker.stop()));
      await Promise.all(replicas.map((replica) => replica.stop()));
      await stores.stop();
    },
  };
}

/** Starts an arena whose replicas and workers reach PostgreSQL through a proxy that a test can cut. */
export function useArenaBehindProxy(options: ArenaOptions) {
  const postgres = {} as TcpProxy;
  // Hooks run in reverse order, so that the arena stops first.
  afterAll(() => postgres.stop());
  const arena = useArena({
    ...options,
    async through({ databaseUrl, ...stores }) {
      const { proxy, url } = await startProxyOf(databaseUrl);
      Object.assign(postgres, proxy);
      return { ...stores, databaseUrl: url };
    },
  });
  return { arena, postgres };
}

// An arena with one more replica, which reaches Redis through a proxy that a test can cut.

/** Before each test, two players enter a lobby, on one replica each, and one of them on the far replica too. */
export function useFarReplica(roundMs: number, request: object) {
  const env = { BETTER_AUTH_SECRET: randomBytes(32).toString('hex'), ROUND_DURATION_MS: `${roundMs}` };
  const arena = useArena({ env });
  const network = useProxy(() => arena.stores.redisUrl);
  const addresses = () => ({ ...arena.stores, redisUrl: network.through });
  const far = forAllTests(() => startService(addresses(), { ...SHORT_OUTAGES, ...env }));
  const lobby = {} as Record<'ada' | 'ben' | 'watcher', Player> & { all: Player[]; code: string; lobbyId: string };
  beforeEach(async () => {
    const { ada, ben, ...opened } = await openLobby(arena, request);
    const watcher = playerOf(ben.user, far.url);
    await watcher.connect();
    watcher.send({ type: 'lobby:join', code: opened.code });
    // The snapshot comes first, then the event of the watcher's entering, which all sockets get.
    const { seq } = await watcher.next('lobby:state');
    const all = [ada, ben, watcher];
    for (const player of all) await player.next('lobby:state', (state) => state.seq === seq + 1);
    Object.assign(lobby, { ada, ben, watcher, all, ...opened });
  });
  return {
    arena,
    /** The proxy through which the far replica reaches Redis; the other replicas connect directly. */
    network,
    far,
    /** The lobby of the current test. The watcher is Ben's socket on the far replica. */
    lobby,
    redis: () => arena.services.redis as Redis,
    makeEvents: (count: number) => appendEvents(arena.services, lobby.lobbyId, count),
    headSeq: async () => Number(await arena.services.redis.hget(lobbyKeys(lobby.lobbyId)[0], 'seq')),
  };
}
