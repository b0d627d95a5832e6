// The HTTP edge with a test's own routes and without stores, for tests of what applies to every request; the routes of
// the page on it, and those of a whole service.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { inject, onTestFinished } from 'vitest';
import { registerUsers, requireUser } from '../../src/auth/sessions/user-sessions.ts';
import { readConfig } from '../../src/config.ts';
import { createEdge, type EdgeOptions } from '../../src/http/edge/edge.ts';
import { registerWeb, type WebOptions } from '../../src/http/web.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { PageConfig } from '../../src/web/frame/page-schema.ts';
import { forAllTests } from './for-all-tests.ts';
import { captureLog } from './log-capture.ts';
import type { TestService } from './service.ts';

export type TestEdge = Awaited<ReturnType<typeof startEdge>>;

/** Starts the edge on a free port. It trusts no proxy, and its public URL is http://localhost:3000. */
export async function startEdge(
  addRoutes: (app: FastifyInstance) => void | Promise<void>,
  overrides: Partial<EdgeOptions> = {},
) {
  const log = captureLog();
  const app = await createEdge({
    logger: createLogger('info', 'api', log.stream),
    lifecycle: { draining: false },
    trustProxy: [],
    publicUrl: 'http://localhost:3000',
    corsOrigins: ['http://localhost:3000'],
    ...overrides,
  });
  await addRoutes(app);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    port,
    log,
    /** @returns the response, whose body is undefined if it is not JSON */
    async call(request: InjectOptions | string) {
      const { statusCode: status, headers, body: text } = await app.inject(request);
      const isJson = text && /json/.test(String(headers['content-type']));
      return { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
    /** Sends bytes unchanged. @returns everything received until the service closes the connection */
    raw: (bytes: string) => sendBytes(port, bytes),
    stop: () => app.close(),
  };
}

export function sendBytes(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
  return textOf(socket);
}

export const PHONE = { remoteAddress: '192.168.1.20', headers: { host: '192.168.1.5:3000' } };

export const PAGE_CONFIG: PageConfig = {
  guests: false,
  providers: [],
  oidcName: null,
  emailSignUp: true,
  outbox: null,
  shareOrigin: null,
};

export const newFolder = () => mkdtempSync(join(inject('temporaryFolder'), 'web-'));

/** @returns a folder with a page, an asset with compressed forms and one without */
function makePage(): string {
  const root = newFolder();
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), '<!doctype html><title>Play</title>');
  writeFileSync(join(root, 'assets/page-abc.js'), 'play()');
  writeFileSync(join(root, 'assets/page-abc.js.gz'), gzipSync('play()'));
  writeFileSync(join(root, 'assets/page-abc.js.br'), 'as brotli has it');
  writeFileSync(join(root, 'assets/tiny-def.css'), '*{}');
  return root;
}

export const useEdge = (...options: Parameters<typeof startEdge>): TestEdge => forAllTests(() => startEdge(...options));

/** The edge of one test, which stops when the test ends. */
export async function edgeOfTest(...options: Parameters<typeof startEdge>): Promise<TestEdge> {
  const edge = await startEdge(...options);
  onTestFinished(() => edge.stop());
  return edge;
}

/** Serves the page until the test ends. @param change overrides of the development defaults */
export function servePage(change: Partial<WebOptions> = {}): Promise<TestEdge> {
  const env = { DATABASE_URL: 'postgresql://none/none', REDIS_URL: 'redis://none', DATA_DIR: newFolder() };
  return edgeOfTest((app) => registerWeb(app, { ...readConfig(env), root: makePage(), ...change }));
}

/**
 * @returns the routes of Fastify's own table, HEAD included, and those too that no document describes; a path is the
 *   pattern, such as `/api/v1/games/:gameId`
 */
export function registeredRoutes(app: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^((?:[│ ] {3})*)[├└]── (\S*) \(([A-Z, ]+)\)$/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = (depth > 0 ? parents[depth - 1] : '') + part;
      parents[depth] = path;
      return methods.split(', ').map((method) => ({ method, path }));
    })
    .filter(({ method }) => method);
}

export type GuardedRoute = Awaited<ReturnType<typeof createGuardedRoute>>;

/** Creates a route that responds with the user. */
export async function createGuardedRoute({ services, config }: Pick<TestService, 'services' | 'config'>) {
  const { corsOrigins, trustProxy, auth } = config;
  const { publicUrl } = auth;
  const app = await createEdge({ ...services, corsOrigins, trustProxy, publicUrl });
  registerUsers(app);
  app.get('/whoami', { onRequest: requireUser(services) }, async ({ user }) => user);
  return {
    async ask(cookie: string) {
      const answer = await app.inject({ url: '/whoami', headers: { cookie } });
      return {
        status: answer.statusCode,
        body: answer.json() as unknown,
        setCookies: [answer.headers['set-cookie'] ?? []].flat(),
      };
    },
    close: () => app.close(),
  };
}
