// A request queues an account email, which a worker sends through Resend or appends to the outbox. [contract 6]
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { createMailQueue, MAIL_QUEUE, type MailQueue, type WrittenMail } from '../../src/auth/mail/mail-queue.ts';
import { createMailer, type Mail } from '../../src/platform/mailer.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import type { RedisClient } from '../../src/platform/redis/redis.ts';
import { sendMail } from '../../worker/mail.ts';
import { eventually } from '../support/eventually.ts';
import { forAllTests } from '../support/for-all-tests.ts';
import { captureLog } from '../support/log-capture.ts';
import { startFakeResend } from '../support/outbox.ts';
import { type LoggedProcess, startWorkerProcess } from '../support/replica-process.ts';
import { connectToRedis, useStores } from '../support/stores.ts';

const HOUR_MS = 3600 * 1000;
const silent = createLogger('silent', 'test');

const stores = useStores();
const resend = forAllTests(startFakeResend);
let redis: RedisClient;
let mailQueue: MailQueue;
/** The running worker, which the next test uses too unless its test ends it. */
let worker: LoggedProcess | undefined;

beforeAll(() => {
  redis = connectToRedis(stores);
  mailQueue = createMailQueue({ queueRedis: redis, logger: silent });
});
afterEach(() => resend.react(200));
afterAll(async () => {
  await endWorker('SIGKILL');
  await mailQueue.close();
  redis.disconnect();
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
/** Queues an email, which a worker that runs sends. */
async function enqueue(more: Partial<WrittenMail> = {}): Promise<WrittenMail> {
  const request = newRequest(more);
  await mailQueue.enqueue(request);
  return request;
}
const requestsFor = ({ to }: WrittenMail, count: number) =>
  eventually(() => {
    const requests = resend.requestsFor(to);
    expect(requests.length).toBeGreaterThanOrEqual(count);
    return requests;
  });
/** @returns the number of jobs of the queue in Redis, in any state */
async function queuedJobs(): Promise<number> {
  const queue = createQueue(MAIL_QUEUE, { queueRedis: redis, logger: silent });
  const counts = await queue.getJobCounts();
  await queue.close();
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
const untilDone = () => eventually(async () => expect(await queuedJobs()).toBe(0));

describe('through Resend', () => {
  test('an email is sent once, from EMAIL_FROM, with the job’s id as idempotency key', async () => {
    await runningWorker();
    const request = await enqueue();
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

  test.for([
    ['fails to accept is sent again with the same idempotency key', [500, 429, 200]],
    ['refuses as invalid is not sent again', [422]],
  ] as const)('an email that the provider %s', async ([, reactions]) => {
    await runningWorker();
    resend.react(...reactions);
    const request = await enqueue({ kind: 'password-reset' });
    const sent = await requestsFor(request, reactions.length);
    expect(new Set(sent.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    await untilDone();
    expect(resend.requestsFor(request.to)).toHaveLength(reactions.length);
  });

  test('an email is sent again with the same idempotency key after its worker died before completing the job', async () => {
    resend.react('silence');
    await runningWorker();
    const request = await enqueue();
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
    const request = await enqueue();
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
    await requestsFor(await enqueue(), 2);
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

test('without a provider each email is one JSON line of the outbox, and is logged with its link and without its HTML', async () => {
  const outbox = join(inject('temporaryFolder'), randomUUID(), 'deep', 'outbox.jsonl');
  const log = captureLog();
  const mail = { resendApiKey: undefined, resendBaseUrl: undefined, from: 'f', outbox };
  const mailer = createMailer({ mail }, createLogger('info', 'test', log.stream));
  for (const to of ['a@example.com', 'b@example.com'])
    await mailer.send({ to, subject: 's', text: 't', html: '<p>', url: 'u' }, 'k');
  expect(readFileSync(outbox, 'utf8')).toBe(
    '{"to":"a@example.com","subject":"s","text":"t","html":"<p>","url":"u"}\n' +
      '{"to":"b@example.com","subject":"s","text":"t","html":"<p>","url":"u"}\n',
  );
  expect(log.lines()).toMatchObject([{ to: 'a@example.com', url: 'u' }, { to: 'b@example.com' }]);
  expect(log.text()).not.toContain('<p>');
});
