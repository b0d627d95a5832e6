// An arena with one more replica, which reaches Redis through a proxy that a test can cut.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type Arena, type ArenaOptions, startArena } from './arena.ts';
import { type Player, playerOf } from './player.ts';
import { SHORT_OUTAGES, startService, type TestService } from './service.ts';
import { startProxyOf, type TcpProxy } from './tcp-proxy.ts';

export interface FarReplica {
  arena: Arena;
  /** The proxy through which the far replica reaches Redis; the other replicas connect directly. */
  network: TcpProxy;
  far: TestService;
  /** Opens another socket of `player` on the far replica, and waits until it and `others` have its event. */
  watch(player: Player, code: string, others: Player[]): Promise<Player>;
}

/** All of it exists from the file's first `beforeAll` until its last `afterAll`. */
export function useFarReplica({ env: overrides, ...options }: ArenaOptions): FarReplica {
  const [arena, network, far] = [{}, {}, {}] as [Arena, TcpProxy, TestService];
  beforeAll(async () => {
    const env = { BETTER_AUTH_SECRET: randomBytes(32).toString('hex'), ...overrides };
    Object.assign(arena, await startArena({ ...options, env }));
    const { proxy, url } = await startProxyOf(arena.stores.redisUrl);
    Object.assign(network, proxy);
    Object.assign(far, await startService({ ...arena.stores, redisUrl: url }, { ...SHORT_OUTAGES, ...env }));
  });
  afterAll(async () => {
    await far.stop();
    await network.stop();
    await arena.stop();
  });
  return {
    arena,
    network,
    far,
    async watch({ user }, code, others) {
      const watcher = playerOf(user, far.url);
      await watcher.connect();
      watcher.send({ type: 'lobby:join', code });
      // The snapshot comes first, then the event of the watcher's entering, which all sockets get.
      const { seq } = await watcher.next('lobby:state');
      for (const player of [watcher, ...others]) await player.next('lobby:state', (state) => state.seq === seq + 1);
      return watcher;
    },
  };
}
