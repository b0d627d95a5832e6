// A lock that allows one launcher for each DATA_DIR: a local socket on which the launcher listens, and tells its process
// id. The system closes the socket with the launcher, however that ends.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { readStack } from '../command.ts';
import { isAlive } from './leftover.ts';
import { until } from './managed-process.ts';

/** How long a launcher may take to tell its process id, ms. */
const ANSWER_MS = 2000;
/** How long the processes of a killed launcher may take to end, ms. Their guards stop them. */
const LEFTOVERS_MS = 30_000;

/**
 * Takes the lock of `dataDir`, and waits until the processes of a crashed holder have ended.
 * @returns whether there was a crashed holder, and a function that releases the lock
 * @throws Error with what to do when the holder is running
 */
export async function acquireLock(dataDir: string) {
  const file = join(dataDir, 'dev.lock');
  // Systems limit the length of a socket's path; the relative one is short for the default folder.
  const path = relative(process.cwd(), file);
  const server = createServer((socket) => void socket.end(`${process.pid}`));
  server.unref();
  let takenOver = false;
  for (;;) {
    const listening = once(server, 'listening');
    server.listen(path);
    const error: NodeJS.ErrnoException | undefined = await listening.then(() => undefined, Object);
    if (!error) break;
    if (error.code === 'EINVAL') throw new Error(`DATA_DIR: ${dataDir} is too long a path. Choose a shorter one.`);
    if (error.code !== 'EADDRINUSE') throw error;
    const pid = await holderOf(path);
    if (pid !== undefined) throw alreadyRunning(dataDir, pid);
    takenOver = true;
    rmSync(file, { force: true });
  }
  if (takenOver) await untilLeftoversEnd(dataDir);
  return { takenOver, release: () => rmSync(file, { force: true }) };
}

/** @returns what the holder tells; undefined if nobody listens */
async function holderOf(path: string): Promise<string | undefined> {
  const socket = connect(path);
  socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error('The holder is suspended.')));
  try {
    await once(socket, 'connect');
  } catch {
    return undefined;
  }
  return text(socket).catch(() => 'unknown');
}

/** The file with the addresses of a killed launcher stays, and names its processes. */
async function untilLeftoversEnd(dataDir: string): Promise<void> {
  const { apis = [], workers = [], postgres, redis } = readStack(dataDir) ?? {};
  const processes = [...apis, ...workers, postgres, redis];
  await until(() => !processes.some((one) => one && isAlive(one.pid)), LEFTOVERS_MS);
}

function alreadyRunning(dataDir: string, pid: string): Error {
  const urls = readStack(dataDir)?.apis.map(({ url }) => url) ?? [];
  return new Error(
    `npm run dev is already running in ${dataDir}: ` +
      `${urls.join(', ') || 'still starting'} (pid ${pid}).\n` +
      `Stop it with Ctrl-C there or "kill ${pid}", or set DATA_DIR and PORT for another.`,
  );
}
