// Closes stalled connections. The timeouts of Node.js leave two kinds open for ever: one on which blank lines arrive
// between requests, since each byte counts as activity, and one whose client does not read a response. [contract 17]
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A connection that has neither begun a request nor finished a response for this many ms is closed. Node.js closes
 * silent connections earlier. A client must read the largest response at 45 kB a second.
 */
const STALL_MAX_MS = 90_000;
const CHECK_MS = 1000;

/**
 * @param stallMaxMs after how long a stalled connection is closed, ms
 * @returns `release`, which exempts a connection that becomes a WebSocket; WebSockets have limits of their own
 */
export function closeStalledConnections(
  server: Server,
  stallMaxMs = STALL_MAX_MS,
): { release(socket: Socket): void } {
  /** When each connection made progress last, by the monotonic clock; the oldest time comes first. */
  const progressMs = new Map<Socket, number>();

  function noteProgress(socket: Socket): void {
    progressMs.delete(socket);
    if (!socket.destroyed) progressMs.set(socket, performance.now());
  }

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    noteProgress(socket);
    response.once('close', () => noteProgress(socket));
  }

  server.on('connection', (socket) => socket.once('close', () => progressMs.delete(socket)));
  server.on('request', watch);
  server.on('checkExpectation', watch);

  const checking = setInterval(() => {
    for (const [socket, sinceMs] of progressMs) {
      if (performance.now() - sinceMs < stallMaxMs) return;
      socket.destroy();
    }
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(checking));
  return { release: (socket) => void progressMs.delete(socket) };
}
