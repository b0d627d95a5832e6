// Closes connections that no request needs, answers bytes that are no valid HTTP request, and makes clients reconnect
// while a replica is being stopped. Node.js leaves connections open for ever on which blank lines arrive between
// requests, or whose client reads no response; while it stops, also those that have sent nothing or half a request.
// [contract 1, 10, 17, 18]
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BUDGETS } from '../../budgets.ts';
import { AppError } from '../../errors.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { problemBody, titleOf } from '../problems/problem.ts';
import { PROBLEM_MEDIA_TYPE } from '../problems/problem-schema.ts';
import { newRequestId, REQUEST_ID_LABEL } from './requests.ts';

/** A connection that has neither begun a request nor finished a response for so long is closed. */
const STALL_MAX_MS = 90_000;
/** Within this time a client must take some bytes of a response that waits; its parts show what was taken. */
const READ_MAX_MS = 30_000;
const READ_MIN_BYTES = (BUDGETS.replyRate.max * READ_MAX_MS) / 1000;
const CHECK_MS = 1000;
/** How long a stopping server waits for the requests under way; it is shorter than the deadline of signals.ts. */
const STOP_MAX_MS = 18_000;
const STOP_CHECK_MS = 50;

/** The last progress of a connection: when it was, and how many bytes the client had taken. */
interface Progress {
  atMs: number;
  takenBytes: number;
  /** The response to the newest request; undefined where no request is under way. */
  response: ServerResponse | undefined;
}

export function watchConnections(server: Server, { stallMaxMs = STALL_MAX_MS, stopMaxMs = STOP_MAX_MS } = {}) {
  const connections = new Map<Socket, Progress>();

  function noteProgress(socket: Socket, response?: ServerResponse): void {
    const now = { atMs: performance.now(), takenBytes: takenFrom(socket), response };
    const known = connections.get(socket);
    // Entries that come and go with each request would make V8 renew the map all the time, and keep the old responses.
    if (known) Object.assign(known, now);
    else if (!socket.destroyed) connections.set(socket, now);
  }

  function watch({ socket }: IncomingMessage, response: ServerResponse): void {
    noteProgress(socket, response);
    response.once('close', () => {
      // The response to a request that was sent ahead is still open.
      const newest = connections.get(socket)?.response;
      noteProgress(socket, newest === response ? undefined : newest);
    });
  }
  function every(pauseMs: number, check: () => void): void {
    const checking = setInterval(check, pauseMs).unref();
    server.once('close', () => clearInterval(checking));
  }

  server.on('connection', (socket) => {
    noteProgress(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', watch);
  server.on('checkExpectation', watch);
  every(CHECK_MS, () => {
    for (const [socket, progress] of connections) {
      const stillMs = performance.now() - progress.atMs;
      if (stillMs < Math.min(stallMaxMs, READ_MAX_MS)) continue;
      if (!progress.response?.headersSent && stillMs < stallMaxMs) continue;
      if (isReading(socket, progress)) noteProgress(socket, progress.response);
      else socket.destroy();
    }
  });

  return {
    /** Exempts a connection that becomes a WebSocket, or until its next response has ended. */
    release: (socket: Socket) => void connections.delete(socket),
    /** Call it before the server is closed: connections without a request end then, and after `stopMaxMs` all. */
    stop(): void {
      const stopsAtMs = performance.now() + stopMaxMs;
      every(STOP_CHECK_MS, () => {
        if (server.listening) return;
        const isOver = performance.now() > stopsAtMs;
        for (const [socket, { response }] of connections) if (isOver || !response) socket.destroy();
      });
    },
  };
}

/** @returns whether the client has taken what there is of a response that is still made, or enough of it */
function isReading(socket: Socket, { response, takenBytes }: Progress): boolean {
  if (!response?.headersSent) return false;
  return socket.writableLength === 0 || takenFrom(socket) - takenBytes >= READ_MIN_BYTES;
}

const takenFrom = (socket: Socket) => socket.bytesWritten - socket.writableLength;

const PROBLEMS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError('HEADERS_TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('REQUEST_TIMEOUT'),
};
const NOT_HTTP = new AppError('VALIDATION_FAILED', 'This is not a valid HTTP request.');
/** The connection is closed this long after the refusal, whether or not the client has read it. */
const LINGER_MS = 1000;

/** Fastify's `clientErrorHandler`. @param headers those of every response */
export function refuseBrokenRequest(
  { code }: { code?: string },
  socket: Socket,
  logger: Logger,
  headers: object,
): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = PROBLEMS[code ?? ''] ?? NOT_HTTP;
  const requestId = newRequestId();
  logger.info({ [REQUEST_ID_LABEL]: requestId, status: problem.status, code }, 'broken request');
  const body = JSON.stringify(problemBody(problem, requestId, ''));
  // An idle timeout would not do, since each byte that the client still sends would restart it.
  const cutting = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cutting));
  const own = {
    connection: 'close',
    'cache-control': 'no-store',
    'content-type': PROBLEM_MEDIA_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
  };
  const lines = Object.entries({ ...own, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${titleOf(problem.status)}\r\n${lines.join('')}\r\n${body}`);
}
