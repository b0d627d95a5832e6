// Answers bytes that are no valid HTTP request. Node.js hands over the bare socket, and the client still gets a problem
// with an id. [contract 1]
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../errors.ts';
import { problemBody, titleOf } from '../problems/problem.ts';
import { PROBLEM_MEDIA_TYPE } from '../problems/problem-schema.ts';
import { newRequestId, REQUEST_ID_LABEL } from './request-id.ts';

const PROBLEMS: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError('HEADERS_TOO_LARGE'),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('REQUEST_TIMEOUT'),
};
const NOT_HTTP = new AppError('VALIDATION_FAILED', 'This is not a valid HTTP request.');

/** The connection is closed this many ms after the refusal, whether or not the client has read it. */
const LINGER_MS = 1000;

/**
 * Fastify's `clientErrorHandler`: answers and ends the connection.
 * @param headers the headers of every response
 */
export function refuseBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  logger: FastifyBaseLogger,
  headers: Record<string, string>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problem = PROBLEMS[error.code ?? ''] ?? NOT_HTTP;
  const requestId = newRequestId();
  logger.info({ [REQUEST_ID_LABEL]: requestId, status: problem.status, code: error.code }, 'broken request');
  const body = JSON.stringify(problemBody(problem, requestId, ''));
  // An idle timeout would not do, since each byte that the client still sends would restart it.
  const cutting = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(cutting));
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${titleOf(problem.status)}`,
      'connection: close',
      'cache-control: no-store',
      `content-type: ${PROBLEM_MEDIA_TYPE}`,
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
}
