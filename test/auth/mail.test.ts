// A request queues an account email, which a worker sends through Resend or appends to the outbox.
// [contract 6]
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createMailQueue, type MailQueue, type WrittenMail } from '../../src/auth/mail/mail-queue.ts';
import { createMailer, type Mail } from '../../src/platform/mailer.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { sendMail } from '../../worker/mail.ts';
import { eventually } from '../support/eventually.ts';
import { captureLog } from '../support/log-capture.ts';
import { type FakeResend, startFakeResend } from '../support/outbox.ts';
import { type LoggedProcess, startWorkerProcess } from '../support/replica-process.ts';
import { connectToRedis, useStores } from '../support/stores.ts';

const HOUR_MS = 3600 * 1000;
const silent = createLogger('silent', 'test');

const stores = useStores();
let resend: FakeResend;
let redis: RedisClient;
let mailQueue: MailQueue;
/** The running worker, which the next test uses too unless its test ends it. */
let worker: LoggedProcess | undefined;

beforeAll(async () => {
  resend = await startFakeResend();
  redis = connectToRedis(stores);
  mailQueue = createMailQueue({ queueRedis: redis, logger: silent });
});
afterEach(() => resend.react(200));
afterAll(async () => {
  await endWorker('SIGKILL');
  await mailQueue.close();
  redis.disconnect();
  await resend.stop();
});

/** @returns the running worker, or a new one */
async function runningWorker(): Promise<LoggedProcess> {
  worker ??= await startWorkerProcess(stores, {
    RESEND_API_KEY: 're_test',
    RESEND_BASE_URL: resend.url,
    EMAIL_FROM: 'Quiz <quiz@example.com>',
    LOG_LEVEL: 'trace',
  });
  return worker;
}

/** @returns the exit code */
async function endWorker(signal: NodeJS.Signals): Promise<number | null | undefined> {
  const ended = worker?.end(signal);
  worker = undefined;
  return ended;
}

const SECRET_TOKEN = 'the-token-in-the-link';
function newRequest(more: Partial<WrittenMail> = {}): WrittenMail {
  return {
    kind: 'verification',
    language: 'en',
    to: `${randomUUID()}@example.com`,
    name: 'Ada',
    url: `https://quiz.example/verify?token=${SECRET_TOKEN}`,
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    ...more,
  };
}
const requestsFor = ({ to }: WrittenMail, count: number) =>
  eventually(() => {
    const requests = resend.requestsFor(to);
    expect(requests.length).toBeGreaterThanOrEqual(count);
    return requests;
  });
/** @returns the number of jobs of the queue in Redis, in any state */
async function queuedJobs(): Promise<number> {
  const queue = new Queue('mail', { connection: redis as Redis, prefix: '{quiz}' });
  const counts = await queue.getJobCounts();
  await queue.close();
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
const untilDone = () => eventually(async () => expect(await queuedJobs()).toBe(0));

describe('through Resend', () => {
  test('an email is sent once, from EMAIL_FROM, with the job’s id as idempotency key', async () => {
    await runningWorker();
    const request = newRequest();
    await mailQueue.enqueue(request);
    const [sent] = await requestsFor(request, 1);
    expect(sent?.authorization).toBe('Bearer re_test');
    expect(sent?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent?.body).toEqual({
      from: 'Quiz <quiz@example.com>',
      to: request.to,
      subject: 'Confirm your email address',
      text: expect.stringContaining(request.url),
      html: expect.stringContaining(request.url),
    });
    await untilDone();
    expect(resend.requestsFor(request.to)).toHaveLength(1);
  });

  test('an email that the provider fails to accept is sent again with the same idempotency key', async () => {
    await runningWorker();
    resend.react(500, 429, 200);
    const request = newRequest({ kind: 'password-reset' });
    await mailQueue.enqueue(request);
    const sent = await requestsFor(request, 3);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    await untilDone();
    expect(resend.requestsFor(request.to)).toHaveLength(3);
  });

  test('an email that the provider refuses as invalid is not sent again', async () => {
    await runningWorker();
    resend.react(422);
    const request = newRequest();
    await mailQueue.enqueue(request);
    await requestsFor(request, 1);
    await untilDone();
    expect(resend.requestsFor(request.to)).toHaveLength(1);
  });

  test('an email is sent again with the same idempotency key after its worker died before completing the job', async () => {
    resend.react('silence');
    await runningWorker();
    const request = newRequest();
    await mailQueue.enqueue(request);
    await requestsFor(request, 1);
    await endWorker('SIGKILL');
    resend.react(200);
    await runningWorker();
    const [before, after] = await requestsFor(request, 2);
    expect(after?.idempotencyKey).toBe(before?.idempotencyKey);
    expect(after?.body).toEqual(before?.body);
    await untilDone();
  });

  test('a worker that receives SIGTERM completes the email that it is sending', async () => {
    resend.react('silence');
    const { log } = await runningWorker();
    const request = newRequest();
    await mailQueue.enqueue(request);
    await requestsFor(request, 1);
    const ended = endWorker('SIGTERM');
    await eventually(() => expect(log()).toContain('stopping'));
    resend.breakSilence();
    expect(await ended).toBe(0);
    expect(await queuedJobs()).toBe(0);
    expect(resend.requestsFor(request.to)).toHaveLength(1);
  });

  test('neither the log nor, afterwards, Redis contains the link or the text of an email', async () => {
    const { log } = await runningWorker();
    resend.react(500, 200);
    const request = newRequest();
    await mailQueue.enqueue(request);
    await requestsFor(request, 2);
    await untilDone();
    expect(log()).not.toContain(SECRET_TOKEN);
    for (const key of await (redis as Redis).keys('*'))
      expect(await (redis as Redis).dump(key).then(String), key).not.toContain(SECRET_TOKEN);
  });
});

describe('the job', () => {
  const sent: [Mail, string][] = [];
  const mailer = { send: async (mail: Mail, key: string) => void sent.push([mail, key]) };
  const handle = sendMail({ mailer, logger: silent });
  const job = (data: unknown, id = 'job-1') => ({ id, data, opts: {} }) as Parameters<typeof handle>[0];

  test('is dropped when its link has expired', async () => {
    sent.length = 0;
    await handle(job(newRequest({ expiresAt: new Date(Date.now() - 1).toISOString() })));
    expect(sent).toEqual([]);
  });

  test.for([
    ['an unknown kind', { ...newRequest(), kind: 'advertisement' }],
    ['an unknown field', { ...newRequest(), bcc: 'b@example.com' }],
    ['no data', undefined],
  ] as const)('with %s fails without a retry', async ([, data]) => {
    await expect(handle(job(data))).rejects.toThrow(UnrecoverableError);
  });
});

describe('without a provider', () => {
  const outbox = () => join(inject('temporaryFolder'), randomUUID(), 'deep', 'outbox.jsonl');
  const mailTo = (to: string): Mail => ({ to, subject: 's', text: 't', html: '<p>', url: 'u' });
  const mailerFor = (file: string, logger = silent) =>
    createMailer({ mail: { resendApiKey: undefined, resendBaseUrl: undefined, from: 'f', outbox: file } }, logger);

  test('each email is appended to the outbox as one JSON line', async () => {
    const file = outbox();
    const mailer = mailerFor(file);
    await mailer.send(mailTo('a@example.com'), 'k');
    await mailer.send(mailTo('b@example.com'), 'k');
    expect(readFileSync(file, 'utf8')).toBe(
      '{"to":"a@example.com","subject":"s","text":"t","html":"<p>","url":"u"}\n' +
        '{"to":"b@example.com","subject":"s","text":"t","html":"<p>","url":"u"}\n',
    );
  });

  test('each email is logged with its link and without its HTML', async () => {
    const log = captureLog();
    const mailer = mailerFor(outbox(), createLogger('info', 'test', log.stream));
    await mailer.send(mailTo('a@example.com'), 'k');
    expect(log.lines()).toMatchObject([{ to: 'a@example.com', url: 'u' }]);
    expect(log.text()).not.toContain('<p>');
  });
});
