// Messages that one turn of the event loop sends to a socket are written together, since a system call costs
// more than most messages.
import type { Duplex } from 'node:stream';

let corked: Duplex[] = [];

export function corkForTurn(stream: Duplex): void {
  if (stream.writableCorked > 0) return;
  stream.cork();
  if (corked.push(stream) === 1) setImmediate(uncorkAll);
}

function uncorkAll(): void {
  const streams = corked;
  corked = [];
  for (const stream of streams) stream.uncork();
}
