import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { BodyTimes } from '../../src/http/bodies.ts';
import { startEdge, type TestEdge, useEdge } from '../support/edge.ts';

const SECRET = 'sk_never_say_this';
const JSON_TYPE = { 'content-type': 'application/json' };

const edge = useEdge(addRoutes);

/** These routes take every kind of input. */
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

describe('[contract 1] validation', () => {
  const post = (url: string, payload: unknown, headers = JSON_TYPE) =>
    edge.call({ method: 'POST', url, headers, payload: payload as string });

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
    const { status, body: problem } = await post('/api/v1/lobbies', payload);
    expect([status, problem.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(problem.errors).toEqual([{ path: '', message: 'must be an object' }]);
  });

  it.each([
    ['half an object', '{'],
    ['no JSON', 'hello'],
    ['a poisoned prototype', '{"__proto__":{"admin":true}}'],
    ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an empty body with a JSON type, where fields are required', ''],
  ])('is INVALID_JSON for %s', async (_kind, payload) => {
    const { status, text, body: problem } = await post('/api/v1/game/answer', payload);
    expect([status, problem.code]).toEqual([400, 'INVALID_JSON']);
    expect(problem.errors).toBeUndefined();
    expect(text).not.toMatch(/proto|Unexpected|position/);
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
    const { status, body: problem } = await edge.call({ method: 'POST', url: '/api/v1/game/answer' });
    expect(status).toBe(400);
    expect(problem.errors).toContainEqual({ path: 'sessionId', message: 'is required' });
  });
});

describe('[contract 17] a preference', () => {
  const NAMES = ['accept', 'accept-charset', 'accept-encoding', 'accept-language'];

  it.each(NAMES)('in %s that is longer than 1,000 characters counts as none', async (name) => {
    for (const [length, isSeen] of [
      [1000, true],
      [1001, false],
      [15_000, false],
    ] as const) {
      const { body } = await edge.call({ url: '/preferences', headers: { [name]: 'a'.repeat(length) } });
      expect(Object.hasOwn(body, name)).toBe(isSeen);
    }
  });
});

describe('[contract 1] size and type of a body', () => {
  it('is 413 PAYLOAD_TOO_LARGE over 64 KiB and accepted at 64 KiB', async () => {
    const post = (bytes: number) => {
      const payload = '{"capacity":8}'.padEnd(bytes);
      return edge.call({ method: 'POST', url: '/api/v1/lobbies', headers: JSON_TYPE, payload });
    };
    expect((await post(65_536)).status).toBe(200);
    expect(await post(65_537)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'garbage', 'application/problem+json'])(
    'is 415 UNSUPPORTED_MEDIA_TYPE for %s, before its size is checked',
    async (type) => {
      const headers = { 'content-type': type };
      const payload = 'a=b'.repeat(30_000);
      const refused = await edge.call({ method: 'POST', url: '/api/v1/lobbies', headers, payload });
      expect(refused).toMatchObject({ status: 415, body: { code: 'UNSUPPORTED_MEDIA_TYPE' } });
    },
  );

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

  async function startTimed(bodyTimes: BodyTimes): Promise<TestEdge> {
    const addLarge = (app: FastifyInstance) =>
      void app.post('/large', { bodyLimit: 2 * LARGE_BYTES }, async ({ body }) => String(body).length);
    const timed = await startEdge(addLarge, { bodyTimes });
    onTestFinished(() => timed.stop());
    return timed;
  }

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
    expect(answer).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
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
