// What is sent to Redis in one turn of the event loop goes out in one write: a system call costs more
// than most commands, on both sides. Each command stays a command of its own, with its own time limit
// and its own repetition after a broken connection, which those of a pipeline would not be.
import type { Socket } from 'node:net';
import { Cluster, type Redis } from 'ioredis';
import type { RedisClient } from './redis.ts';

/** Call it at once after the connection was made. */
export function writeTogether(client: RedisClient): void {
  if (client instanceof Cluster) client.on('+node', (node: Redis) => writeTogether(node));
  else client.on('connect', () => corkATurn((client as unknown as { stream: Socket }).stream));
}

function corkATurn(stream: Socket): void {
  const write = stream.write;
  const uncork = () => stream.uncork();
  stream.write = function corked(this: Socket, ...args: Parameters<Socket['write']>) {
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(uncork);
    }
    return write.apply(this, args);
  } as Socket['write'];
}
