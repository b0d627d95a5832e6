// What is sent in one turn of the event loop goes out in one write: a system call costs more than most
// commands to Redis, on both sides, and than most messages to a socket. Each command stays a command of its
// own, with its own time limit and its own repetition after a broken connection, which those of a pipeline
// would not be.
import type { Duplex } from 'node:stream';
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis.ts';

/** Those that are held back until the end of the turn. */
let held: Duplex[] = [];

/** Holds back what is written to a stream from now to the end of the turn, and then writes it in one piece. */
export function holdForTurn(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  if (held.push(stream) === 1) setImmediate(letGo);
}

function letGo(): void {
  const streams = held;
  held = [];
  for (const stream of streams) stream.uncork();
}

/** Call it at once after the connection was made. */
export function writeTogether(client: RedisClient): void {
  if (client instanceof Cluster) client.on('+node', (node: Redis) => writeTogether(node));
  else client.on('connect', () => holdEachTurn((client as unknown as { stream: Duplex }).stream));
}

function holdEachTurn(stream: Duplex): void {
  const write = stream.write;
  stream.write = function held(this: Duplex, ...args: Parameters<Duplex['write']>) {
    holdForTurn(stream);
    return write.apply(this, args);
  } as Duplex['write'];
}
