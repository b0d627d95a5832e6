// Generates requests from the service's API document: each operation with bodies, paths, queries and headers
// that are mostly valid.
import { Agent } from 'node:http';
import fc from 'fast-check';
import { sendRawRequest } from '../input-cost.ts';
import type { Operation } from './operations.ts';
import { type Json, type Memory, valuesOf } from './schema-values.ts';

/** The owners of the cookie that a request has. */
export const SENDERS = ['nobody', 'ada', 'ben', 'forged'] as const;
export type Sender = (typeof SENDERS)[number];

export type FuzzRequest = ValueOf<ReturnType<typeof requestsOf>>;
type ValueOf<Values> = Values extends fc.Arbitrary<infer Value> ? Value : never;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** The longest request target, characters. Node.js refuses longer headers before the service sees them. */
const ADDRESS_MAX = 8000;

/** Suffixes that turn a valid path into an invalid one. */
const TAILS = ['/', '//', '/..', '%00', '%', '%zz', '%2e%2e%2f', ';x', '/__proto__', '?__proto__[a]=1'];

/** The codes of characters that Node.js lets a header have. */
const headerCode = fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0xa0, max: 0xff }));
const headerText = fc.string({ unit: headerCode.map((code) => String.fromCharCode(code)), maxLength: 60 });

/** Headers that the service or a library reads, with values that often cause defects. */
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
  'idempotency-key': ['x', 'y-Z_9', 'x'.repeat(65)],
  cookie: ['a', '=', ';;;', 'better-auth.session_token=', 'better-auth.session_token=%zz.%00', '__proto__=1'],
  upgrade: ['websocket', 'h2c'],
  'accept-language': ['x'.repeat(300)],
  forwarded: ['for=1.2.3.4;host=evil.example'],
};

const header = fc
  .constantFrom(...Object.entries(HEADERS))
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom(...values), headerText)));
const headers = fc.array(header, { maxLength: 3 }).map((list): Record<string, string> => Object.fromEntries(list));

const mostly = <T, U>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<U>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: rare });

export function requestsOf(operation: Operation, document: Json) {
  const { body, name, method, path } = operation;
  const nobody = fc.constant(undefined);
  const bodies = body ? writtenJson(valuesOf(body, document)) : nobody;
  const undescribed = body ? nobody : writtenJson(fc.jsonValue());
  return fc
    .record({
      sender: fc.constantFrom('ada' as const, 'ben' as const, ...SENDERS),
      method: mostly(fc.constant(method), fc.constantFrom(...METHODS)),
      parameters: parametersOf(operation, 'path', document),
      query: fc.option(parametersOf(operation, 'query', document), { nil: {} }),
      tail: mostly(fc.constant(''), fc.constantFrom(...TAILS)),
      headers: fc.oneof(fc.constant<Record<string, string>>({}), fc.constant({}), headers),
      body: mostly(bodies, undescribed),
    })
    .map((made) => {
      // The document must describe the reply to a request whose method and path are those of the operation.
      const isDescribed = made.tail === '' && made.method === method;
      return { ...made, operation: name, path, isDescribed };
    });
}

function parametersOf({ parameters }: Operation, where: string, document: Json) {
  const mine = parameters.filter((parameter) => parameter.in === where);
  const fields = mine.map(({ name, schema }) => [name, valuesOf(schema, document, name)]);
  const requiredKeys = mine.filter(({ required }) => required).map(({ name }) => name);
  return fc.record<Record<string, unknown>>(Object.fromEntries(fields), { requiredKeys });
}

/** The agent sends one request at a time, since limits on concurrency are not what the fuzzer tests. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

export type Reply = Awaited<ReturnType<typeof send>>;

/** Sends a request and reads the reply. @throws Error if the service does not reply */
export const send = (url: string, fuzzed: FuzzRequest, cookie: string, memory: Memory) =>
  sendRawRequest(url, {
    agent,
    method: fuzzed.method,
    path: addressOf(fuzzed, memory),
    headers: { ...(cookie && { cookie }), ...fuzzed.headers },
    body: fuzzed.body && bytesOf(fuzzed.body, memory.fill),
  });

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

export type WrittenJson = ValueOf<ReturnType<typeof writtenJson>>;

/** Inserts a part behind a brace of a text, which `at` chooses. */
function insert(text: string, at: number, part: string): string {
  const starts = [...text.matchAll(/\{/g)].map(({ index }) => index + 1);
  const start = starts[at % Math.max(1, starts.length)] ?? 0;
  const comma = text[start] === '}' ? '' : ',';
  return `${text.slice(0, start)}${part}${comma}${text.slice(start)}`;
}

const DAMAGES = {
  none: (text: string) => text,
  cut: (text: string, at: number) => text.slice(0, at),
  empty: () => '',
  duplicate: (text: string) => text.replace(/^\{([^,{}[\]]+)/, '{$1,$1'),
  prototype: (text: string, at: number) => insert(text, at, '"__proto__":{"polluted":true}'),
  constructor: (text: string, at: number) => insert(text, at, '"constructor":{"prototype":{"polluted":true}}'),
  deep: (text: string, at: number) => '['.repeat(at * 200) + text + ']'.repeat(at * 200),
  'byte order mark': (text: string) => `\ufeff${text}`,
  'not UTF-8': (text: string, at: number) =>
    Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xc3, 0x28, 0xff])]),
  'number out of range': (text: string) => text.replace(/:-?\d+/, ':1e999'),
  trailing: (text: string) => `${text}{}\u0000`,
};
const KINDS = Object.keys(DAMAGES) as (keyof typeof DAMAGES)[];
const UNDAMAGED_WEIGHT = 30;

/** @returns the values with the kind of error to make in their texts, and its position; most have none */
export function writtenJson(values: fc.Arbitrary<unknown>) {
  const damage = fc.oneof(
    { weight: UNDAMAGED_WEIGHT, arbitrary: fc.constant('none' as const) },
    { weight: KINDS.length, arbitrary: fc.constantFrom(...KINDS) },
  );
  return fc.record({ value: values, damage, at: fc.nat(40) });
}

/** @param fill replaces the placeholders of remembered values */
export const bytesOf = ({ value, damage, at }: WrittenJson, fill: (text: string) => string) =>
  Buffer.from(DAMAGES[damage](fill(JSON.stringify(value) ?? ''), at));
