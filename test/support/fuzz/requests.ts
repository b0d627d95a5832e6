// Requests made from the service's own descriptions: each operation with bodies, paths, queries and
// headers that mostly fit, and some that don't.
import { Agent, type IncomingMessage, request } from 'node:http';
import fc from 'fast-check';
import type { Operation } from './operations.ts';
import { type Json, type Memory, valuesOf } from './schema-values.ts';
import { bytesOf, type WrittenJson, writtenJson } from './written-json.ts';

/** Whose cookie a request carries. */
export const WHO = ['nobody', 'ada', 'ben', 'forged'] as const;
export type Who = (typeof WHO)[number];

export interface FuzzRequest {
  /** The operation's name. */
  operation: string;
  who: Who;
  method: string;
  /** As described, with its parameters in braces. */
  path: string;
  parameters: Record<string, unknown>;
  query: Record<string, unknown>;
  tail: string;
  headers: Record<string, string>;
  body: WrittenJson | undefined;
  /** Whether it names just what is described: then the reply must be too. */
  isDescribed: boolean;
}

export interface Reply {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Beyond it Node.js itself refuses the headers. */
const ADDRESS_MAX = 8000;

/** What is put behind a path that is none any more. */
const TAILS = [
  '/',
  '//',
  '/..',
  '%00',
  '%',
  '%zz',
  '%2e%2e%2f',
  ';x',
  '/__proto__',
  '?__proto__[a]=1',
];

const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter(isHeaderCode)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});

/** Headers that something here reads, and values that each is known to have trouble with. */
const HEADERS: Record<string, string[]> = {
  'content-type': [
    'text/plain',
    'application/json; charset=utf-16',
    'application/json;',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'APPLICATION/JSON',
  ],
  origin: ['null', 'https://evil.example', 'http://127.0.0.1', 'file://', ''],
  accept: ['text/html', 'text/csv', '*/*;q=0', ','],
  'accept-encoding': ['gzip, br', 'identity;q=0'],
  'content-encoding': ['gzip', 'deflate', 'br'],
  'x-request-id': ['a'.repeat(65), 'ok-1', '{"level":60}', '%{jndi:ldap://x}'],
  'x-forwarded-for': ['1.2.3.4', '::1, x', '1.2.3.4:99', 'a'.repeat(5000)],
  'x-forwarded-host': ['evil.example'],
  'x-forwarded-proto': ['https', 'javascript'],
  'x-http-method-override': ['DELETE'],
  'access-control-request-method': ['PUT', 'x'],
  'access-control-request-headers': ['content-type', '*'],
  authorization: ['Bearer x', 'Basic eDp5'],
  traceparent: ['00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', '00-zz'],
  'user-agent': ['', 'x'.repeat(6000)],
  referer: ['http://evil.example/', 'not an address'],
  'if-none-match': ['*', '"x"'],
  range: ['bytes=0-', 'bytes=9-1'],
  'sec-fetch-site': ['cross-site', 'same-site'],
  'idempotency-key': ['x'],
  cookie: [
    'a',
    '=',
    ';;;',
    'better-auth.session_token=',
    'better-auth.session_token=%zz.%00',
    '__proto__=1',
  ],
  upgrade: ['websocket', 'h2c'],
  'accept-language': ['x'.repeat(300)],
  forwarded: ['for=1.2.3.4;host=evil.example'],
};

const headers = fc
  .array(
    fc
      .constantFrom(...Object.keys(HEADERS))
      .chain((name) =>
        fc.tuple(
          fc.constant(name),
          fc.oneof(fc.constantFrom(...(HEADERS[name] as string[])), headerText),
        ),
      ),
    { maxLength: 3 },
  )
  .map((list) => Object.fromEntries(list));

const mostly = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare });

/** @param document where schemas' references lead */
export function requestsOf(operation: Operation, document: Json): fc.Arbitrary<FuzzRequest> {
  const { body, name, method, path } = operation;
  const nobody = fc.constant(undefined);
  const bodies = body ? writtenJson(valuesOf(body, document)) : nobody;
  const unasked = body ? nobody : writtenJson(fc.jsonValue());
  return fc
    .record({
      who: fc.constantFrom('ada' as const, 'ben' as const, ...WHO),
      method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
      parameters: parametersOf(operation, 'path', document),
      query: fc.option(parametersOf(operation, 'query', document), { nil: {} }),
      tail: mostly(fc.constant(''), fc.constantFrom(...TAILS)),
      headers: fc.oneof(fc.constant({}), fc.constant({}), headers),
      body: mostly(bodies, unasked),
    })
    .map((made) => ({
      ...made,
      operation: name,
      path,
      isDescribed: made.tail === '' && made.method === method,
    }));
}

function parametersOf({ parameters }: Operation, where: string, document: Json) {
  const mine = parameters.filter((parameter) => parameter.in === where);
  const fields = mine.map(({ name, schema }) => [name, valuesOf(schema, document, name)]);
  const requiredKeys = mine.filter(({ required }) => required).map(({ name }) => name);
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys });
}

/** Twenty at a time would be a test of something else: one connection after the other. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const PATIENCE_MS = 20_000;

/**
 * Sends it and reads the reply.
 * @throws Error when the service gives none
 */
export async function send(
  url: string,
  asked: FuzzRequest,
  cookie: string,
  memory: Memory,
): Promise<Reply> {
  const bytes = asked.body && bytesOf(asked.body, memory.fill);
  const length = bytes && { 'content-type': 'application/json', 'content-length': bytes.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(url),
      {
        agent,
        method: asked.method,
        path: addressOf(asked, memory),
        headers: { origin: url, ...length, ...(cookie && { cookie }), ...asked.headers },
        timeout: PATIENCE_MS,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('error', reject);
        const { statusCode: status = 0, headers } = response;
        response.once('end', () => resolve({ status, headers, text }));
      },
    );
    sent.once('timeout', () => sent.destroy(new Error('The service did not reply.')));
    sent.once('error', reject);
    sent.once('upgrade', ({ headers }, socket) => {
      socket.destroy();
      resolve({ status: 101, headers, text: '' });
    });
    sent.end(bytes);
  });
}

function addressOf({ path, parameters, query, tail }: FuzzRequest, memory: Memory): string {
  const encode = (value: unknown) => encodeURIComponent(textOf(value, memory));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encode(parameters[name]));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
  const search = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  return `${filled}${tail}${search}`.slice(0, ADDRESS_MAX);
}

function textOf(value: unknown, memory: Memory): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return memory.fill(text ?? '').toWellFormed();
}

function isHeaderCode(code: number): boolean {
  return code !== 0x7f && (code < 0x80 || code >= 0xa0);
}
