// The HTTP edge with a test's own routes and without stores, for tests of what applies to every request.
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createEdge, type EdgeOptions } from '../../src/http/edge/edge.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';

export interface EdgeResponse {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each test asserts the body's shape
  body: any;
}

export interface TestEdge {
  app: FastifyInstance;
  port: number;
  /** The parsed log lines. */
  // biome-ignore lint/suspicious/noExplicitAny: lines of any shape
  lines: any[];
  call(request: InjectOptions | string): Promise<EdgeResponse>;
  /** Sends bytes unchanged. @returns everything received until the service closes the connection */
  raw(bytes: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the edge on a free port. It trusts no proxy, and its public URL is http://localhost:3000. */
export async function startEdge(
  addRoutes: (app: FastifyInstance) => void | Promise<void>,
  overrides: Partial<EdgeOptions> = {},
): Promise<TestEdge> {
  const lines: unknown[] = [];
  const write = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const app = await createEdge({
    logger: createLogger('info', 'api', write),
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
    lines,
    async call(request) {
      const answer = await app.inject(request);
      const { statusCode: status, headers, body: text } = answer;
      const isJson = /json/.test(String(headers['content-type']));
      return { status, headers, text, body: text && isJson ? answer.json() : undefined };
    },
    raw: (bytes) => sendBytes(port, bytes),
    stop: () => app.close(),
  };
}

/** Sends bytes unchanged. @returns everything received until the service closes the connection */
export function sendBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}
