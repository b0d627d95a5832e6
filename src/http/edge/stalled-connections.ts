// Closes stalled connections. The timeouts of Node.js leave two kinds open for ever: one on which blank lines arrive
// between requests, since each byte counts as activity, and one whose client does not read a response. [contract 17]
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A connection that has neither begun a request nor finished a response for this many ms is closed. Node.js closes
 * silent connections earlier.
 */
const STALL_MAX_MS = 90_000;
/**
 * The bytes of a long response that a client must take in this time, where more wait to be sent: 45 kB a second. The
 * largest response that is not sent in parts is as long.
 */
const STALL_MIN_BYTES = 4 * 1024 * 1024;
const CHECK_MS = 1000;

/** The last progress of a connection. */
interface Progress {
  /** By the monotonic clock. */
  atMs: number;
  /** How many bytes its client had taken. */
  takenBytes: number;
  /** The response that is open. */
  response: ServerResponse | undefined;
}

/**
 * @param stallMaxMs after how long a stalled connection is closed, ms
 * @returns `release`, which exempts a connection that becomes a WebSocket; WebSockets have limits of their own
 */
export function closeStalledConnections(
  server: Server,
  stallMaxMs = STALL_MAX_MS,
): { release(socket: Socket): void } {
  /** The connection whose progress is the oldest comes first. */
  const connections = new Map<Socket, Progress>();

  function noteProgress(socket: Socket, response?: ServerResponse): void {
    connections.delete(socket);
    if (socket.destroyed) return;
    connections.set(socket, { atMs: performance.now(), takenBytes: takenFrom(socket), response });
  }

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    noteProgress(socket, response);
    response.once('close', () => noteProgress(socket));
  }

  server.on('connection', (socket) => socket.once('close', () => connections.delete(socket)));
  server.on('request', watch);
  server.on('checkExpectation', watch);

  const checking = setInterval(() => {
    for (const [socket, progress] of connections) {
      if (performance.now() - progress.atMs < stallMaxMs) return;
      if (isReading(socket, progress)) noteProgress(socket, progress.response);
      else socket.destroy();
    }
  }, CHECK_MS).unref();
  server.once('close', () => clearInterval(checking));
  return { release: (socket) => void connections.delete(socket) };
}

/** @returns whether the client has taken what there is of a response that is still made, or enough of it */
function isReading(socket: Socket, { response, takenBytes }: Progress): boolean {
  if (!response?.headersSent) return false;
  return socket.writableLength === 0 || takenFrom(socket) - takenBytes >= STALL_MIN_BYTES;
}

function takenFrom(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
