// Turns errors into HTTP responses: sanitised problem+json (RFC 9457), and under /api/auth/* the error format of
// better-auth. [contract 1]
import { STATUS_CODES } from 'node:http';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode, type UnlimitedCode } from '../../errors.ts';
import { isOutage } from '../../platform/outages/outage.ts';
import { countOutage } from '../../platform/outages/outage-log.ts';
import { limitHeaders } from '../../platform/redis/limits.ts';
import { PROBLEM_MEDIA_TYPE } from './problem-schema.ts';

/** The `Retry-After` of refusals that don't set one, in ms. */
const DEFAULT_RETRY_AFTER_MS: Partial<Record<ErrorCode, number>> = { UNAVAILABLE: 2000 };

const FRAMEWORK_ERRORS: Record<string, [code: UnlimitedCode, message?: string]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['VALIDATION_FAILED', 'The body is not as long as Content-Length says.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
};

const STATUSES: Record<number, UnlimitedCode> = { 400: 'VALIDATION_FAILED', 404: 'ROUTE_NOT_FOUND' };
/** Phrases of statuses that RFC 9110 has renamed and Node.js has not. */
const NEW_TITLES: Record<number, string> = { 413: 'Content Too Large', 422: 'Unprocessable Content' };

/** @returns the error to tell the client; an unknown error becomes INTERNAL_ERROR, which does not tell the cause */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  const known = FRAMEWORK_ERRORS[code ?? ''];
  if (known) return new AppError(...known);
  if (isOutage(error)) return new AppError('UNAVAILABLE');
  return new AppError(STATUSES[statusCode ?? 500] ?? 'INTERNAL_ERROR');
}

export const titleOf = (status: number) => NEW_TITLES[status] ?? STATUS_CODES[status] ?? 'Error';

/** @returns the response body; under /api/auth/* it has the format that better-auth's client library expects */
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

/** Answers with `error` as a problem, and logs an error whose cause the client is not told. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = toAppError(error);
  countOutage(request.server.log, error);
  if (problem.status >= 500 && problem.code !== 'UNAVAILABLE') request.log.error({ err: error }, 'request failed');
  const retryAfterMs = problem.retryAfterMs ?? DEFAULT_RETRY_AFTER_MS[problem.code];
  if (retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(retryAfterMs / 1000));
  // A request may have passed a limiter, whose headers it has, and be refused by another one.
  if (problem.limit) reply.headers(limitHeaders(problem.limit));
  const isAuth = request.originalUrl.startsWith('/api/auth/');
  reply.header('content-type', isAuth ? 'application/json; charset=utf-8' : PROBLEM_MEDIA_TYPE);
  // For a buffer Fastify neither applies a response schema of the route nor changes the content type.
  const body = Buffer.from(JSON.stringify(problemBody(problem, request.id, request.originalUrl)));
  return reply.status(problem.status).header('x-request-id', request.id).send(body);
}
