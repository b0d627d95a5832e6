// A replica holds a limited number of bytes of large bodies per user and in total, which count once they have arrived.
// [contract 17]
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createHttpClient } from '../support/http-client.ts';
import { listOf } from '../support/lists.ts';
import { useService } from '../support/service.ts';
import { createSignedInUser } from '../support/users.ts';

const MIB = 1024 * 1024;
const USERS = 6;
const SENT_AT_ONCE = 48;
/** So many bodies of 3.75 MiB fit the 32 MiB of a replica. */
const ADMITTED = 8;

const LIST = JSON.stringify(listOf());
const BODY = Buffer.from(LIST + ' '.repeat(3.75 * MIB - LIST.length));

const { service } = useService();
let cookies: string[];
beforeAll(async () => {
  const users = await Promise.all(Array.from({ length: USERS }, () => createSignedInUser(service.services)));
  cookies = users.map(({ cookie }) => cookie);
});

/** Sends the headers of a body. @param onSent is called when the operating system has them */
function sendHeaders(cookie: string, onSent = () => {}): Socket {
  const socket = connect(service.config.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const fields = ['host: x', `cookie: ${cookie}`, 'content-type: application/json', `content-length: ${BODY.length}`];
  socket.on('error', () => {}).write(['POST /api/v1/lists HTTP/1.1', ...fields, '', ''].join('\r\n'), onSent);
  return socket;
}

const store = async (cookie: string, body: Buffer | string = BODY) =>
  (await createHttpClient(service.url, { cookie }).post('/api/v1/lists', body)).status;

/** Sends the headers and the first bytes of the body. */
function beginUpload(cookie: string, begun = 64 * 1024) {
  const socket = sendHeaders(cookie);
  const upload = {
    socket,
    /** The bytes that the service has replied so far. */
    reply: '',
    /** Sends all that remains except one byte. */
    goOn: () => void socket.write(BODY.subarray(begun, -1)),
    /** Sends the last byte and waits for the reply. @returns its status */
    async finish(): Promise<number> {
      socket.write(BODY.subarray(-1));
      await eventually(async () => expect(statusOf(upload)).toBeGreaterThan(0));
      return statusOf(upload);
    },
  };
  socket.on('data', (data) => {
    upload.reply += data;
  });
  socket.write(BODY.subarray(0, begun));
  return upload;
}

type Upload = ReturnType<typeof beginUpload>;

const statusOf = ({ reply }: Pick<Upload, 'reply'>) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1] ?? 0);
/** The client's one body is in these buffers before the first measurement. */
const bytesHeld = () => process.memoryUsage().arrayBuffers;
const isRefused = (upload: Upload) => statusOf(upload) > 0;

it('48 concurrent bodies of 3.75 MiB: a replica holds 32 MiB of what has arrived, and refuses the rest', async () => {
  // Buffers of earlier tests would be freed meanwhile. The memory is returned after the collection.
  for (let count = 0; count < 3; count++) {
    gc?.();
    await setImmediate();
  }
  const before = bytesHeld();
  let most = 0;
  const uploads = Array.from({ length: SENT_AT_ONCE }, (_, at) => beginUpload(cookies[at % USERS] as string));
  for (const upload of uploads) upload.goOn();
  await eventually(async () => {
    most = Math.max(most, bytesHeld() - before);
    expect(uploads.filter(isRefused).length).toBeGreaterThanOrEqual(SENT_AT_ONCE - ADMITTED);
  });
  const refused = uploads.filter(isRefused);
  // On a busy machine some arrive too slowly.
  const full = refused.filter((upload) => statusOf(upload) !== 408);
  expect(full.length).toBeGreaterThan(0);
  for (const { reply } of full)
    expect(reply).toMatch(/^HTTP\/1.1 (429|503) .*\r\nretry-after: 5\r\n.*"code":"(RATE_LIMITED|UNAVAILABLE)"/is);
  expect(most).toBeLessThan(3 * 32 * MIB);
  const admitted = uploads.filter((upload) => !isRefused(upload));
  for (const upload of admitted) expect([201, 408]).toContain(await upload.finish());
  expect(await store(cookies[0] as string)).toBe(201);
});

it('a user’s own excess is 429 and refuses nobody else, and finished bodies free their budget', async () => {
  const [own, other] = cookies as [string, string];
  const uploads = [beginUpload(own), beginUpload(own), beginUpload(own)];
  for (const upload of uploads) upload.goOn();
  await eventually(async () => expect(uploads.filter(isRefused).map(statusOf)).toEqual([429]));
  const limit = { 'retry-after': 5, 'ratelimit-limit': 8 * MIB, 'ratelimit-remaining': 0, 'ratelimit-reset': 5 };
  for (const [name, value] of Object.entries(limit))
    expect(uploads.find(isRefused)?.reply).toContain(`\r\n${name}: ${value}\r\n`);
  expect(await store(other)).toBe(201);
  // Small bodies always have room.
  expect(await store(own, LIST)).toBe(201);
  // The budget must also be freed by an upload that is cut off, and by bodies that are refused for their content.
  for (const { socket } of uploads) socket.destroy();
  await eventually(async () => expect(await store(own)).toBe(201));
  for (let count = 0; count < ADMITTED; count++) expect(await store(own, Buffer.alloc(3.75 * MIB, 'x'))).toBe(400);
});

it('many bodies of which only a byte has arrived refuse nobody', async () => {
  const uploads = cookies.flatMap((cookie) => Array.from({ length: 4 }, () => beginUpload(cookie, 1)));
  for (const cookie of cookies) expect(await store(cookie)).toBe(201);
  // On a busy machine they have arrived too slowly by now.
  expect(uploads.map(statusOf).filter((status) => status !== 408 && status !== 0)).toEqual([]);
});

it('a connection that closes before its body is admitted uses no budget', async () => {
  const { cookie } = await createSignedInUser(service.services);
  for (let count = 0; count < 40; count++) {
    const sent = Promise.withResolvers<void>();
    const socket = sendHeaders(cookie, sent.resolve);
    await sent.promise;
    // The service learns that the connection is closed before it has found the session.
    socket.resetAndDestroy();
  }
  await eventually(async () => expect(await store(cookie)).toBe(201));
});
