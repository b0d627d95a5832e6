// The one place where an error becomes an HTTP answer: problem+json (RFC 9457), sanitised; under
// /api/auth/* in the authentication layer's own format. [contract 1]
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode } from '../../errors.ts';
import { isOutage } from '../../platform/outage.ts';
import { countOutage } from '../../platform/outage-log.ts';
import { PROBLEM_MEDIA_TYPE } from './problem-schema.ts';

/** How long a client should wait where the refusal itself does not say. */
const DEFAULT_RETRY_AFTER_MS: Partial<Record<ErrorCode, number>> = { UNAVAILABLE: 2000 };

/** What Fastify and its plugins refuse by themselves, in the contract's words. */
const FRAMEWORK_ERRORS: Record<string, [code: ErrorCode, message?: string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'VALIDATION_FAILED',
    'The body is not as long as Content-Length says.',
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
};

const STATUSES: Record<number, ErrorCode> = { 400: 'VALIDATION_FAILED', 404: 'ROUTE_NOT_FOUND' };

/** RFC 9110 has renamed what Node.js still calls as before. */
const NEW_TITLES: Record<number, string> = {
  413: 'Content Too Large',
  422: 'Unprocessable Content',
};

/**
 * @returns the error that the client is told about. Whatever it does not know is an
 * INTERNAL_ERROR without a word on the cause.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = FRAMEWORK_ERRORS[code ?? ''];
  if (known) return new AppError(...known);
  if (isOutage(error)) return new AppError('UNAVAILABLE');
  return new AppError(STATUSES[statusCode ?? 500] ?? 'INTERNAL_ERROR');
}

/** @returns the RFC 9110 reason phrase of `status`. */
export function titleOf(status: number): string {
  return NEW_TITLES[status] ?? STATUS_CODES[status] ?? 'Error';
}

/** @returns the answer's body; under /api/auth/* as better-auth's client library expects it */
export function problemBody(problem: AppError, requestId: string, url: string): object {
  if (url.startsWith('/api/auth/')) return { code: problem.code, message: problem.message };
  return {
    type: 'about:blank',
    title: titleOf(problem.status),
    status: problem.status,
    code: problem.code,
    detail: problem.message,
    requestId,
    ...(problem.status === 400 && problem.errors ? { errors: problem.errors } : {}),
  };
}

/** Answers with `error` as a problem and logs what the client is not told. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): FastifyReply {
  const problem = toAppError(error);
  countOutage(request.server.log, error);
  if (problem.status >= 500 && problem.code !== 'UNAVAILABLE') {
    request.log.error({ err: error }, 'request failed');
  }
  const retryAfterMs = problem.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS[problem.code];
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
  const isAuth = request.originalUrl.startsWith('/api/auth/');
  return (
    reply
      .status(problem.status)
      .header('x-request-id', request.id)
      .header('content-type', isAuth ? 'application/json; charset=utf-8' : PROBLEM_MEDIA_TYPE)
      // Bytes, so that no response schema of the route has a say in it, nor Fastify in the type.
      .send(Buffer.from(JSON.stringify(problemBody(problem, request.id, request.originalUrl))))
  );
}

/** Makes every error of `app`, whoever throws it, a problem. */
export function registerProblems(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
}
