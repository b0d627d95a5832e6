import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { BodyTimes } from '../../src/http/bodies.ts';
import { edgeOfTest, useEdge } from '../support/edge.ts';
import { codeOf } from '../support/http-client.ts';

const SECRET = 'sk_never_say_this';
const JSON_TYPE = { 'content-type': 'application/json' };

const edge = useEdge(addRoutes);

function addRoutes(on: FastifyInstance): void {
  const optional = z.strictObject({ capacity: z.int().min(2).max(50).default(8) });
  const answer = z.strictObject({
    sessionId: z.uuid(),
    optionId: z.int().min(0).max(3),
    pos: z.enum(['noun', 'verb']).default('noun'),
    name: z.string().min(2).max(4).optional(),
  });
  on.post('/api/v1/lobbies', { schema: { body: optional } }, async ({ body }) => body);
  on.post('/api/v1/game/answer', { schema: { body: answer } }, async ({ body }) => body);
  on.get('/preferences', async ({ headers }) => headers);
}

const post = (url: string, payload: unknown, headers = JSON_TYPE) =>
  edge.call({ method: 'POST', url, headers, payload: payload as string });

describe('[contract 1] validation', () => {
  it('names every invalid field in the service’s own words, without the value, nor the name of an unknown field', async () => {
    const answer = { sessionId: SECRET, optionId: 7, pos: SECRET, name: 'x', [SECRET]: 1 };
    const { status, text, body: problem } = await post('/api/v1/game/answer', answer);
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(text).not.toContain(SECRET);
    expect(problem.errors).toEqual([
      { path: 'sessionId', message: 'must be a UUID' },
      { path: 'optionId', message: 'must be at most 3' },
      { path: 'pos', message: 'must be one of noun, verb' },
      { path: 'name', message: 'must be at least 2 characters long' },
      { path: '', message: 'has an unknown field' },
    ]);
  });

  it.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"x"'],
    ['a number', '1e400'],
  ])('rejects %s as a body', async (_kind, payload) => {
    const body = { code: 'VALIDATION_FAILED', errors: [{ path: '', message: 'must be an object' }] };
    expect(await post('/api/v1/lobbies', payload)).toMatchObject({ status: 400, body });
  });

  it.each([
    ['half an object', '{'],
    ['no JSON', 'hello'],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an empty body with a JSON type, where fields are required', ''],
  ])('is INVALID_JSON for %s', async (_kind, payload) => {
    const refused = await post('/api/v1/game/answer', payload);
    expect(codeOf(refused)).toEqual([400, 'INVALID_JSON']);
    expect(refused.body.errors).toBeUndefined();
    expect(refused.text).not.toMatch(/proto|Unexpected|position/);
  });
});

describe('[contract 10] a missing body counts as {} where every field is optional', () => {
  it.each([
    ['without a content type', {}],
    ['with a JSON content type', JSON_TYPE],
  ])('%s', async (_kind, headers) => {
    const answer = await edge.call({ method: 'POST', url: '/api/v1/lobbies', headers });
    expect(answer).toMatchObject({ status: 200, body: { capacity: 8 } });
  });

  it('and names the missing fields where some are required', async () => {
    const { status, body } = await edge.call({ method: 'POST', url: '/api/v1/game/answer' });
    expect(status).toBe(400);
    expect(body.errors).toContainEqual({ path: 'sessionId', message: 'is required' });
  });
});

const NAMES = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];
it.each(NAMES)('[contract 17] a preference in %s that is longer than 1,000 characters counts as none', async (name) => {
  for (const length of [1000, 1001, 15_000]) {
    const { body } = await edge.call({ url: '/preferences', headers: { [name]: 'a'.repeat(length) } });
    expect(Object.hasOwn(body, name)).toBe(length === 1000);
  }
});

describe('[contract 1] size and type of a body', () => {
  it('is 413 PAYLOAD_TOO_LARGE over 64 KiB and accepted at 64 KiB', async () => {
    const body = '{"capacity":8}';
    expect((await post('/api/v1/lobbies', body.padEnd(65_536))).status).toBe(200);
    expect(codeOf(await post('/api/v1/lobbies', body.padEnd(65_537)))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  const TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'garbage', 'application/problem+json'];
  it.each(TYPES)('is 415 UNSUPPORTED_MEDIA_TYPE for %s, before its size is checked', async (type) => {
    const refused = await post('/api/v1/lobbies', 'a=b'.repeat(30_000), { 'content-type': type });
    expect(codeOf(refused)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('is 415 for a body without a content type', async () => {
    const answer = await edge.raw(
      'POST /api/v1/lobbies HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 415 /);
  });
});

describe('[contract 1] the time of a body', () => {
  const SMALL = { smallMs: 150, windowMs: 150 };
  const LARGE_BYTES = 1024 * 1024;
  const POST = 'POST /large HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const withLength = (bytes: number) => `${POST}Content-Length: ${bytes}\r\n\r\n`;
  const text = (bytes: number) => `"${'x'.repeat(bytes - 1)}`;

  const addLarge = (app: FastifyInstance) =>
    void app.post('/large', { bodyLimit: 2 * LARGE_BYTES }, async ({ body }) => String(body).length);
  const startTimed = (bodyTimes: BodyTimes) => edgeOfTest(addLarge, { bodyTimes });

  it.each([
    ['a small one', withLength(5000) + text(1)],
    ['a large one', withLength(LARGE_BYTES) + text(1)],
    ['a large one that has begun fast', withLength(LARGE_BYTES) + text(100_000)],
    ['chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`],
    ['many chunks', `${POST}Transfer-Encoding: chunked\r\n\r\n186a0\r\n${text(100_000)}\r\n`],
    ['one for an unknown path', withLength(5000).replace('large', 'x') + text(1)],
  ])('is 408 REQUEST_TIMEOUT if it arrives too slowly: %s', async (_what, begun) => {
    const timed = await startTimed(SMALL);
    const answer = await timed.raw(begun);
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n.*\r\nconnection: close\r\n/is);
    expect(answer).toMatch(/application\/problem\+json.*"code":"REQUEST_TIMEOUT"/s);
    expect(timed.log.lines().filter(({ level }) => level > 30)).toEqual([]);
  });

  it('is read if it arrives fast enough, however long it takes', async () => {
    const { port } = await startTimed({ smallMs: 100, windowMs: 1000 });
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part;
    });
    socket.write(withLength(LARGE_BYTES));
    // The time begins with the first byte.
    await sleep(1100);
    socket.write('"');
    for (let part = 1; part < 16; part++) {
      await sleep(100);
      socket.write('x'.repeat(LARGE_BYTES / 16));
    }
    socket.write(`${'x'.repeat(LARGE_BYTES / 16 - 2)}"`);
    await expect.poll(() => answer).toMatch(/^HTTP\/1.1 200 .*1048574$/s);
    socket.destroy();
  });
});
