// Finds free TCP ports for servers that must listen on the same port again after a restart, and chooses those of all
// processes of the stack before any of them is started.
import { createServer } from 'node:net';
import type { Settings } from './settings.ts';

// Kernels take the source ports of outgoing connections from higher ranges (Linux from 32768, others from 49152), and
// could take such a port while its server restarts. A Redis Cluster also needs a second port, 10000 higher.
const LOWEST = 15_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

// Several processes, in a test run for example, may look for ports before their servers listen on the ports found. So
// each process first searches a range that few others use.
const RANGES = 64;
const RANGE_SIZE = Math.floor((HIGHEST - LOWEST) / RANGES);

/** The ports that this process has given out; two servers that start at the same time must not get the same one. */
const handedOut = new Set<number>();

/**
 * @param count how many consecutive ports are needed
 * @param host the local address on which they must be free, as on those of `localhost`
 * @returns the first of `count` consecutive free ports. Another process may still take one before the server listens,
 *   so that the caller has to try another port then
 */
export async function freePort(count = 1, host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = attempt < ATTEMPTS / 2 ? inOwnRange(count) : between(LOWEST, HIGHEST - count);
    const block = series(first, count);
    if (block.some((port) => handedOut.has(port))) continue;
    for (const port of block) handedOut.add(port);
    if ((await takenPort(block, host)) === undefined) return first;
    for (const port of block) handedOut.delete(port);
  }
  throw new Error(`No free port was found on ${host} between ${LOWEST} and ${HIGHEST}.`);
}

function inOwnRange(count: number): number {
  const lowest = LOWEST + (process.pid % RANGES) * RANGE_SIZE;
  return between(lowest, lowest + RANGE_SIZE - count);
}

function between(lowest: number, highest: number): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

/** @returns the first of the ports that another program uses, if there is one */
async function takenPort(ports: number[], host: string): Promise<number | undefined> {
  // A browser may resolve "localhost" to ::1 first, and would reach another program that listens there alone.
  const addresses = new Set([host, '127.0.0.1', '::1']);
  for (const port of ports) for (const address of addresses) if (!(await isPortFree(port, address))) return port;
  return undefined;
}

export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
    // The machine has no such address, for example no IPv6, so that no program can listen there.
    else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(true);
    else reject(error);
  });
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/** The port of each replica, and the metrics port of each, with that of the worker behind them. */
export type StackPorts = Awaited<ReturnType<typeof choosePorts>>;

/**
 * @param note receives a line when the default ports for metrics are taken and others are used
 * @returns the ports; those for metrics are zeros when metrics are off
 * @throws Error naming the port that is taken
 */
export async function choosePorts(settings: Settings, note: (line: string) => void) {
  const { host, replicas, metricsPort } = settings;
  const api = series(settings.port || (await freePort(replicas, host)), replicas);
  const taken = await takenPort(api, host);
  if (taken !== undefined)
    throw new Error(
      `Port ${taken} is taken${replicas > 1 ? ` (needed: ${api.join(', ')})` : ''}: stop what ` +
        'listens there, or choose another one with PORT.',
    );
  const metrics = series(metricsPort, replicas + 1);
  if (metricsPort === 0) return { api, metrics: metrics.fill(0) };
  const used = metrics.find((port) => api.includes(port)) ?? (await takenPort(metrics, host));
  if (used === undefined) return { api, metrics };
  if (settings.env.METRICS_PORT !== undefined)
    throw new Error(`Port ${used} is taken (METRICS_PORT, one for each process: ${metrics.join(', ')}).`);
  const free = await freePort(replicas + 1, host);
  note(`Port ${used} is taken, so metrics are on port ${free} and following.`);
  return { api, metrics: series(free, replicas + 1) };
}

function series(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}
