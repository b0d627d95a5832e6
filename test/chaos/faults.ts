// The implementation of each kind of fault: one function that does harm, waits, and always repairs it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerControls } from '../support/own-servers.ts';
import { withPostgres } from '../support/sql.ts';
import type { TcpProxy } from '../support/tcp-proxy.ts';
import type { RedisSite } from './redis-site.ts';
import type { FaultKind, PlannedFault } from './schedule.ts';
import type { Node, Stage } from './stage.ts';

/** Does harm, waits, and repairs it. Resolves when everything is as before. */
type Act = (stage: Stage, fault: PlannedFault) => Promise<void>;

/** @param begin returns what repairs the harm */
const harm =
  (begin: (stage: Stage, fault: PlannedFault) => unknown): Act =>
  async (stage, fault) => {
    const repair = (await begin(stage, fault)) as (() => unknown) | undefined;
    await sleep(fault.lastsMs);
    await repair?.();
  };

// Processes.

/** @returns the process that a fault affects */
function nodeOf(stage: Stage, { place, index }: PlannedFault): Node {
  const node = (place === 'replica' ? stage.replicas : stage.workers)[index];
  if (!node) throw new Error(`There is no ${place} ${index}.`);
  return node;
}

/** SIGSTOP and SIGCONT: the process keeps its connections and locks, and does nothing. */
const freeze = harm((stage, fault) => {
  const node = nodeOf(stage, fault);
  node.freeze();
  return node.thaw;
});

/** The process ends in some way, and starts again. */
const restarted = (end: (node: Node, stage: Stage, fault: PlannedFault) => Promise<unknown>) =>
  harm(async (stage, fault) => {
    const node = nodeOf(stage, fault);
    await end(node, stage, fault);
    return () => node.start();
  });

/** SIGKILL, which the kernel sends when memory runs out. */
const kill = restarted((node) => node.kill());

/**
 * A replica's clock is shifted by up to ten minutes, since no deadline depends on it. A worker's clock is shifted only
 * by as much as a neglected NTP would, since a worker takes up jobs by its own clock; replicas end later rounds.
 */
const SKEW_MAX_MS = { replica: 600_000, worker: 2500 };

/** A process is stopped gracefully and started with a shifted clock, or with the right one again. */
const skew = restarted(async (node, _stage, { place, draw }) => {
  await node.stop();
  const maxMs = SKEW_MAX_MS[place as keyof typeof SKEW_MAX_MS];
  node.skewMs = draw < 0.25 ? 0 : Math.round((2 * draw - 1) * maxMs);
});

/** A process is stopped gracefully and started from the other release's code, or from this one's again. */
const update = restarted(async (node, { previous }) => {
  await node.stop();
  node.root = node.root === undefined ? previous : undefined;
});

// The network to a store.

const SLOWEST_MS = 500;

/** Does harm on each connection to the store. @param repair is done on each of them at the end */
const onProxies = (act: (proxy: TcpProxy, fault: PlannedFault) => unknown, repair?: (proxy: TcpProxy) => unknown) =>
  harm(async ({ redis, postgres }, fault) => {
    const proxies = fault.place === 'redis' ? redis.proxies : [postgres.proxy];
    for (const proxy of proxies) await act(proxy, fault);
    return async () => {
      for (const proxy of proxies) await repair?.(proxy);
    };
  });

/** Chooses all connections or a part of them, the same for the same random number. @returns undefined for all */
function chosenBy({ draw }: PlannedFault): ((port: number | undefined) => boolean) | undefined {
  if (draw < 0.5) return undefined;
  return (port = 0) => (Math.imul(port, 0x9e3779b1) >>> 0) / 2 ** 32 < draw;
}

const cut = onProxies((proxy, fault) => proxy.cut(chosenBy(fault)));

const hold = onProxies(
  (proxy, fault) => proxy.stall(chosenBy(fault)),
  (proxy) => proxy.unstall(),
);

/** Delays by 1 to 500 ms; short delays are drawn more often. */
const slow = onProxies(
  (proxy, { draw }) => proxy.slow(SLOWEST_MS ** draw),
  (proxy) => proxy.slow(0),
);

const block = onProxies(
  (proxy) => proxy.block(),
  (proxy) => proxy.unblock(),
);

// The servers of the stores.

function serverOf({ redis, postgres }: Stage, { place }: PlannedFault): ServerControls {
  const server = place === 'redis' ? redis.server : postgres;
  if (!server) throw new Error('This Redis is more than one server.');
  return server;
}

const freezeServer = harm((stage, fault) => {
  const server = serverOf(stage, fault);
  server.pause();
  return () => server.resume();
});

/** The server ends, gracefully or not, and comes back with its data. */
const restartServer = harm(async (stage, fault) => {
  const server = serverOf(stage, fault);
  await (fault.draw < 0.5 ? server.kill() : server.stop());
  return () => server.start();
});

/** Under a Sentinel a server is lost for good with its last writes, and another one takes its place. */
const loseWrites: Act = async ({ redis }, fault) => redis.loseWrites?.(fault.lastsMs);

/** In a cluster only the writes are lost that a replica has not received: in the slot of a queue, or of some lobby. */
const loseMaster: Act = async ({ redis }, { draw }) =>
  redis.loseMaster?.(draw < 0.3 ? '{quiz:clock:0}:clock:id' : `lobby:{${draw}}`);

// Stores that answer but refuse writes.

/** @param value the value of the setting that makes Redis refuse writes @param good the normal value */
const refusing = (setting: string, value: number, good: (site: RedisSite) => number) =>
  harm(async ({ redis }) => {
    await redis.each((client) => client.config('SET', setting, value));
    return () => redis.each((client) => client.config('SET', setting, good(redis)));
  });

const setReadOnly = ({ postgres }: Stage, value: 'on' | 'off') =>
  withPostgres(postgres.databaseUrl, async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
  });

const readOnlyPostgres = harm(async (stage) => {
  await setReadOnly(stage, 'on');
  return () => setReadOnly(stage, 'off');
});

/** Writes that fit into existing pages still succeed. */
const fullPostgres = harm(({ postgres: { disk } }) => {
  disk?.fill();
  return () => disk?.free();
});

const TABLES = ['lobby', 'lobby_player', 'game', 'session', '"user"'];

const lockTable: Act = async ({ postgres }, fault) => {
  const table = TABLES[Math.floor(fault.draw * TABLES.length)];
  await withPostgres(postgres.databaseUrl, async (client) => {
    await client.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
    await sleep(fault.lastsMs);
    await client.query('ROLLBACK');
  });
};

export const ACTS: Record<FaultKind, Act> = {
  kill,
  freeze,
  skew,
  update,
  'cut-redis': cut,
  'hold-redis': hold,
  'slow-redis': slow,
  'block-redis': block,
  'freeze-redis': freezeServer,
  'restart-redis': restartServer,
  'read-only-redis': refusing('min-replicas-to-write', 9, ({ minReplicas }) => minReplicas),
  'full-redis': refusing('maxmemory', 1, () => 0),
  'lose-writes': loseWrites,
  'lose-master': loseMaster,
  'cut-postgres': cut,
  'hold-postgres': hold,
  'slow-postgres': slow,
  'freeze-postgres': freezeServer,
  'restart-postgres': restartServer,
  'read-only-postgres': readOnlyPostgres,
  'full-postgres': fullPostgres,
  'lock-table': lockTable,
};
