// Free TCP ports for servers that must come back on the same port after a restart.
import { createServer } from 'node:net';

// Below the ranges from which kernels take the source ports of outgoing connections (Linux from
// 32768, others from 49152): a port up there may be taken while its server restarts. It also
// leaves room for a Redis Cluster's second port, 10000 higher.
const LOWEST = 15_000;
const HIGHEST = 32_000;
const ATTEMPTS = 200;

// A server takes its port some time after it was told it, and other processes ask meanwhile, those of
// a test run above all: each looks first where hardly another one does.
const SLICES = 64;
const SLICE = Math.floor((HIGHEST - LOWEST) / SLICES);

// Of this process: two servers that start at the same time must not be told the same port.
const handedOut = new Set<number>();

/**
 * @param count how many neighbouring ports are wanted
 * @param host the local address to be free on
 * @returns the first of `count` consecutive free ports. Another process may still be faster: start
 *   the server, and ask for another port if it finds this one taken.
 */
export async function freePort(count = 1, host = '127.0.0.1'): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const first = attempt < ATTEMPTS / 2 ? inOwnSlice(count) : between(LOWEST, HIGHEST - count);
    const block = Array.from({ length: count }, (_, index) => first + index);
    if (block.some((port) => handedOut.has(port))) continue;
    for (const port of block) handedOut.add(port);
    if (await allFree(block, host)) return first;
    for (const port of block) handedOut.delete(port);
  }
  throw new Error(`No free port was found on ${host} between ${LOWEST} and ${HIGHEST}.`);
}

function inOwnSlice(count: number): number {
  const lowest = LOWEST + (process.pid % SLICES) * SLICE;
  return between(lowest, lowest + SLICE - count);
}

function between(lowest: number, highest: number): number {
  return lowest + Math.floor(Math.random() * (highest - lowest));
}

async function allFree(ports: number[], host: string): Promise<boolean> {
  for (const port of ports) if (!(await isPortFree(port, host))) return false;
  return true;
}

/** @returns whether a server could listen on `port` of `host` at this moment. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  const server = createServer();
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  server.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
    // The machine has no such address (no IPv6, say), so nobody can be listening there.
    else if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(true);
    else reject(error);
  });
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}
