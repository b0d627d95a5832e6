// Mounts better-auth at /api/auth/* with its own API and error format, so that its client library works unchanged.
// This file only converts requests and responses. [contract 6]
import { fromNodeHeaders } from 'better-auth/node';
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { AppError } from '../errors.ts';
import type { Auth } from './auth.ts';
import { CLIENT_ADDRESS_HEADER } from './plugins/auth-hooks.ts';
import { setApartBrowserToken } from './sign-up/links.ts';
import { failOnOutage } from './store-failures.ts';

/** @param app a scope of its own, since its body parser is replaced */
export function registerAuthRoutes(
  app: FastifyInstance,
  { auth, publicUrl, rateLimit }: { auth: Auth; publicUrl: string; rateLimit: onRequestAsyncHookHandler },
): void {
  // better-auth parses the body itself, whatever its type. Fastify limits its length.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.addHook('onRequest', rateLimit);
  app.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const answer = await failOnOutage(() => auth.handler(toWebRequest(request, publicUrl)));
      // better-auth's replies to unknown addresses have plain text or no body.
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      if (answer.status === 404 && !isJson) throw new AppError('ROUTE_NOT_FOUND');
      for (const [name, value] of answer.headers) reply.header(name, value);
      return reply.status(answer.status).send(Buffer.from(await answer.arrayBuffer()));
    },
  });
}

function toWebRequest(request: FastifyRequest, publicUrl: string): Request {
  const { pathname, search } = new URL(request.url, publicUrl);
  const headers = fromNodeHeaders(request.headers);
  headers.set(CLIENT_ADDRESS_HEADER, request.clientAddress);
  setApartBrowserToken(headers, publicUrl.startsWith('https://'));
  const body = request.body as Buffer | undefined;
  const sent = body?.length ? { body: new Uint8Array(body) } : {};
  return new Request(`${publicUrl}${pathname}${search}`, { method: request.method, headers, ...sent });
}
