// Clients occupy connections by sending as slowly as the service allows.
import { connect } from 'node:net';
import { setInterval as every } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEdge, type TestEdge } from '../support/edge.ts';

/** A slow request is cut within this time, in ms; the grace is for a busy machine. */
const CUT_WITHIN_MS = 30_000;
const GRACE_MS = 5000;

let edge: TestEdge;
beforeAll(async () => {
  edge = await startEdge((app) => {
    app.post('/api/v1/lobbies', async () => ({}));
  });
});
afterAll(() => edge.stop());

/**
 * Sends `start` at once and then a byte a second. @returns the reply, and the time until the connection ended
 */
async function drip(start: string, byte: string): Promise<{ answer: string; tookMs: number }> {
  const startedAt = performance.now();
  const socket = connect(edge.port, '127.0.0.1', () => socket.write(start));
  const ended = Promise.withResolvers<void>();
  let answer = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => ended.resolve());
  const stop = new AbortController();
  const dripping = (async () => {
    for await (const _ of every(1000, null, { signal: stop.signal })) if (byte && socket.writable) socket.write(byte);
  })().catch(() => {});
  await ended.promise;
  stop.abort();
  await dripping;
  return { answer, tookMs: performance.now() - startedAt };
}

it('[contract 17] requests that arrive too slowly are cut within 30 s, and get a 408', async () => {
  const begun = 'POST /api/v1/lobbies HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const cut = await Promise.all([
    drip('', ''),
    drip('POST /api', '/'),
    drip(begun, 'a'),
    drip(`${begun}Content-Length: 5000\r\n\r\n{`, ' '),
    drip(`${begun}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
  ]);
  for (const { answer, tookMs } of cut) {
    expect(tookMs).toBeLessThan(CUT_WITHIN_MS + GRACE_MS);
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
    expect(answer).toMatch(/cache-control: no-store/i);
  }
});
