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

/** Texts are joined to one, since the pieces of several are each made a buffer of their own. */
function holdEachTurn(stream: Duplex): void {
  const { write, end } = stream;
  let held: (string | Buffer)[] = [];
  function letGoOf(): void {
    const pieces = held;
    held = [];
    const [text] = pieces;
    if (pieces.length === 1 && typeof text === 'string') write.call(stream, text, 'utf8');
    else if (pieces.length > 0) Reflect.apply(write, stream, [joined(pieces)]);
  }
  Object.assign(stream, {
    write(piece: string | Buffer, ...rest: unknown[]): boolean {
      if (rest.length > 0) {
        letGoOf();
        return Reflect.apply(write, stream, [piece, ...rest]);
      }
      if (held.length === 0) setImmediate(letGoOf);
      const last = held.at(-1);
      if (typeof piece === 'string' && typeof last === 'string')
        held[held.length - 1] = last + piece;
      else held.push(piece);
      return true;
    },
    end(...last: unknown[]): Duplex {
      letGoOf();
      return Reflect.apply(end, stream, last);
    },
  });
}

function joined(pieces: (string | Buffer)[]): Buffer {
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
}
