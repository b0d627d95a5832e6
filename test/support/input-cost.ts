// Measures what hostile inputs cost: each is sent to the service, and may block the event loop as little as a
// harmless one does.
import { Agent, type IncomingMessage, request } from 'node:http';
import { beforeAll, expect } from 'vitest';
import type { Operation } from './fuzz/operations.ts';
import { type Json, resolve } from './fuzz/schema-values.ts';
import { createHttpClient } from './http-client.ts';
import type { TestService } from './service.ts';
import { createSignedInUser } from './users.ts';

const TURN_MAX_MS = 10;
/** A busy machine makes every turn longer: then a hostile input may take so many times as long as a harmless one. */
const RATIO_MAX = 2;

/** The size of a hostile body: most operations take no larger one. */
export const BODY_BYTES = 64 * 1024;

export type Act = () => Promise<unknown>;

/** Expects that a hostile input takes less than the limit, or about as long as a harmless one. */
export async function expectCheap(what: string, hostile: Act, harmless: Act, maxMs = TURN_MAX_MS): Promise<void> {
  const { longestMs } = await shortestTry(maxMs, hostile);
  if (longestMs < maxMs) return;
  const { longestMs: harmlessMs } = await longestTurn(harmless);
  expect(longestMs, what).toBeLessThan(RATIO_MAX * harmlessMs);
}
/** @returns all hostile forms of a message, as JSON of about `bytes` bytes, and a harmless one */
export function formsOf(sample: unknown, bytes: number) {
  const left = bytes - Buffer.byteLength(JSON.stringify(sample)) - 100;
  const places = textPaths(sample);
  const texts = Object.entries(HOSTILE_PARTS).map(([what, part]) => ({ what, json: textOf(part, left) }));
  const wholes = Object.entries(HOSTILE_VALUES).map(([what, make]) => ({ what, json: make(left) }));
  // The texts of a large request are checked by the same few rules, so that each gets a third of the kinds.
  const hostile = places.flatMap((place, at) =>
    [...texts, ...wholes]
      .filter((_, kind) => places.length < 3 || (at + kind) % 3 === 0)
      .map(({ what, json }) => ({ what: `${place.join('.')}: ${what}`, json: jsonWith(sample, place, json) })),
  );
  const harmless = jsonWith(sample, places[0] ?? [], textOf(HARMLESS_PART, left));
  return { hostile: [...hostile, ...wholes], harmless };
}

export function useSender(service: TestService) {
  const sender = { openapi: undefined as Json, cookie: '' };
  const client = () => createHttpClient(service.url, sender);
  async function signIn(): Promise<void> {
    sender.cookie = (await createSignedInUser(service.services)).cookie;
  }
  beforeAll(async () => {
    sender.openapi = (await client().get('/api/openapi.json')).body;
    await signIn();
  });

  function post({ method, path }: Operation, json: string): Act {
    const body = Buffer.from(json);
    expect(body.length).toBeLessThanOrEqual(BODY_BYTES);
    const filled = path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
    return () => sendRawRequest(service.url, { method, path: filled, headers: { cookie: sender.cookie }, body });
  }

  return Object.assign(sender, {
    /** Sends every hostile form of the body of each operation. */
    async expectCheapBodies(operations: Operation[]): Promise<void> {
      const taken = operations.filter(({ body }) => body);
      expect(taken.length).toBeGreaterThan(3);
      for (const operation of taken) {
        const { hostile, harmless } = formsOf(sampleOf(operation.body, sender.openapi), BODY_BYTES);
        for (const { what, json } of hostile)
          await expectCheap(`${operation.name} ${what}`, post(operation, json), post(operation, harmless));
        // Some operations sign out or delete the user.
        if ((await client().get('/api/v1/vocabulary')).status === 401) await signIn();
      }
    },
  });
}

/**
 * @param act the work to measure; clients in the same thread count too
 * @returns the result of `act`, and the CPU time of the longest turn of the event loop, ms
 */
async function longestTurn<T>(act: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let isOver = false;
  let longestMs = 0;
  let last = now();
  const sample = () => {
    const next = now();
    // The kernel counts CPU time in ticks of some ms, so that a short turn may be charged a whole tick.
    longestMs = Math.max(longestMs, Math.min(next.clockMs - last.clockMs, next.usedMs - last.usedMs));
    last = next;
    if (!isOver) setImmediate(sample);
  };
  setImmediate(sample);
  try {
    const result = await act();
    sample();
    return { result, longestMs };
  } finally {
    isOver = true;
  }
}

/** How often work is repeated that blocks the event loop for too long: garbage is collected in some of the tries. */
const TRIES_MAX = 20;

/**
 * Repeats the work until it blocks the event loop for less than the limit.
 * @returns the try in which the longest turn was shortest
 */
export async function shortestTry<T>(limitMs: number, act: () => Promise<T>) {
  let best = await longestTurn(act);
  for (let left = TRIES_MAX - 1; left > 0 && best.longestMs >= limitMs; left--) {
    const next = await longestTurn(act);
    if (next.longestMs < best.longestMs) best = next;
  }
  return best;
}

/** @returns the time, and the CPU time of this thread, ms */
function now() {
  const { user, system } = process.threadCpuUsage();
  return { clockMs: performance.now(), usedMs: (user + system) / 1000 };
}

const shared = new Agent({ keepAlive: true });

const REPLY_TIMEOUT_MS = 20_000;

interface RawRequest {
  method: string;
  /** It is sent unchanged, as the body is. */
  path: string;
  headers?: Record<string, string>;
  body?: Uint8Array | undefined;
  agent?: Agent;
}

/**
 * @returns the reply, whose body is not parsed; of a stream its beginning
 * @throws Error if the service does not reply
 */
export function sendRawRequest(
  url: string,
  { method, path, headers, body, agent = shared }: RawRequest,
): Promise<{ status: number; headers: IncomingMessage['headers']; text: () => string }> {
  const length = body && { 'content-type': 'application/json', 'content-length': body.length };
  const options = { agent, method, path, maxHeaderSize: 200_000, timeout: REPLY_TIMEOUT_MS };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), { ...options, headers: { origin: url, ...length, ...headers } }, (reply) => {
      const parts: Buffer[] = [];
      const text = () => Buffer.concat(parts).toString();
      const done = () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text });
      reply.on('data', (part: Buffer) => parts.push(part));
      reply.once('error', reject);
      reply.once('end', done);
      if (reply.headers['content-type'] !== 'text/event-stream') return;
      // A stream goes on for a minute.
      reply.once('data', () => {
        done();
        sent.destroy();
      });
    });
    sent.once('timeout', () => sent.destroy(new Error('The service did not reply.')));
    sent.once('error', reject);
    sent.once('upgrade', (reply, socket) => {
      socket.destroy();
      resolve({ status: 101, headers: reply.headers, text: () => '' });
    });
    sent.end(body);
  });
}

// Generates the most expensive inputs from the service's API documents: each text of a body or message is
// replaced by expensive ones of the largest accepted size.

/** Parts that are repeated to make an expensive text. */
export const HOSTILE_PARTS: Record<string, string> = {
  'combining marks': '\u0323\u0301',
  'as many combining marks as may follow a letter': `a${'\u0323\u0301'.repeat(15)}`,
  'marks that NFKC makes combining ones': '\uff9e\u0301',
  'emoji of many parts': '👩‍👩‍👧‍👦',
  joiners: 'a\u200d',
  'letters that fold to three': 'ΐ',
  'quotation marks': '"',
  'control characters': '\u0001',
  spaces: ' ',
  addresses: 'a@a.',
  paths: '/../%2e%2f',
  digits: '9',
};

export const HARMLESS_PART = 'a word ';

/** Expensive values with about `bytes` bytes of JSON. */
const HOSTILE_VALUES: Record<string, (bytes: number) => string> = {
  'lists within lists': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'objects within objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'a list of empty objects': (bytes) => `[${'{},'.repeat(bytes / 3 - 2)}{}]`,
  'a list of numbers': (bytes) => `[${'1,'.repeat(bytes / 2 - 2)}1]`,
  'different fields': (bytes) => `{${Array.from({ length: bytes / 10 }, (_, at) => `"${at}":1`).join()}}`,
  'fields of one name': (bytes) => `{${'"a":1,'.repeat(bytes / 6 - 2)}"b":1}`,
};

/** @returns a valid value of a schema; a text if the schema allows any value */
export function sampleOf(schema: Json, document: Json): unknown {
  if (schema.$ref) return sampleOf(resolve(document, schema.$ref), document);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [option] = schema.oneOf ?? schema.anyOf ?? [];
  if (option) return sampleOf(option, document);
  if (schema.allOf) return sampleOf(Object.assign({}, ...schema.allOf), document);
  const type = [schema.type].flat()[0] ?? 'string';
  if (type === 'object') {
    const fields = Object.entries<Json>(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, one]) => [name, sampleOf(one, document)]));
  }
  if (type === 'array') return Array(schema.minItems ?? 1).fill(sampleOf(schema.items ?? {}, document));
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return sampleText(schema);
}

function sampleText({ format, minLength = 1 }: Json): string {
  if (format === 'uuid') return '00000000-0000-4000-8000-000000000000';
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri') return 'https://example.com/';
  return 'a'.repeat(minLength);
}

/** The path of a text in a value, such as `['settings', 'pos']`. */
type JsonPath = (string | number)[];

function textPaths(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.length > 0 ? textPaths(value[0], [...path, 0]) : [];
  return Object.entries(Object(value)).flatMap(([name, one]) => textPaths(one, [...path, name]));
}

/** @returns the JSON of `value` with other JSON at a path */
function jsonWith(value: unknown, path: JsonPath, json: string): string {
  const [step, ...rest] = path;
  if (step === undefined) return json;
  const copy = structuredClone(value) as Json;
  const inner = jsonWith(copy[step], rest, json);
  copy[step] = '§here§';
  return JSON.stringify(copy).replace('"§here§"', () => inner);
}

/** @returns a JSON string of at most `bytes` bytes that repeats `part` */
export function textOf(part: string, bytes: number): string {
  const size = Buffer.byteLength(JSON.stringify(part)) - 2;
  return JSON.stringify(part.repeat(bytes / size));
}

/** @returns the paths of texts without a maximal length in a schema */
export function unboundedTexts(schema: Json, document: Json, path = ''): string[] {
  const within = (inner: Json, name = '') => unboundedTexts(inner, document, `${path}.${name}`);
  if (typeof schema === 'boolean') return [];
  if (schema.$ref) return unboundedTexts(resolve(document, schema.$ref), document, path);
  const { properties = {}, items, enum: values, format, maxLength, pattern, type } = schema;
  const hasEnd = values || 'const' in schema || maxLength || format === 'uuid' || pattern;
  return [
    ...([type].flat().includes('string') && !hasEnd ? [path] : []),
    ...Object.entries<Json>(properties).flatMap(([name, one]) => within(one, name)),
    ...(items ? within(items) : []),
    ...[schema.oneOf, schema.anyOf, schema.allOf].flatMap((all = []) => all.flatMap((one: Json) => within(one))),
  ];
}
