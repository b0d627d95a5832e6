// The edge with routes of the test's own and no stores, for what every request passes.
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { createEdge, type EdgeDeps } from '../../src/http/edge/edge.ts';
import { createLogger } from '../../src/platform/logger.ts';

export interface EdgeAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is what the test is about
  body: any;
}

export interface TestEdge {
  app: FastifyInstance;
  port: number;
  /** What was logged, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: lines of any shape
  lines: any[];
  call(request: InjectOptions | string): Promise<EdgeAnswer>;
  /** Sends bytes as they are. @returns all that comes back until the service hangs up */
  raw(bytes: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it on a free port, believing no proxy, at http://localhost:3000 as far as it knows. */
export async function startEdge(
  addRoutes: (app: FastifyInstance) => void | Promise<void>,
  overrides: Partial<EdgeDeps> = {},
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
    raw: (bytes) => sendRaw(port, bytes),
    stop: () => app.close(),
  };
}

/** Sends bytes as they are. @returns all that comes back until the service hangs up */
export function sendRaw(port: number, bytes: string): Promise<string> {
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
