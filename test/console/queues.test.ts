// Bull Board in the operator's console: it shows the queues, changes nothing, and shows neither an answer nor a token.
// [contract 5.10, 7]
import { appRoutes } from '@bull-board/api/dist/routes.js';
import { type Job, type Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createQueue, openJobSource } from '../../src/platform/queues/queue.ts';
import { allQueues } from '../../worker/measure.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/service.ts';
import { useOperatorConsole } from './operator-console.ts';

/** It is at every place of a job where a text can be. */
const SECRET = 'the-secret-of-a-job';
const GAME_ID = '0d4f9d2c-7b53-4f0e-9a55-1f4f6e3a8b21';

const { service } = useService({ CLOCK_QUEUES: '2' });
const operators = useOperatorConsole(() => service.services);
let queues: Queue[];
/** For each queue a job that waits, one that is done, and one that has failed. */
let jobs: Job[][];

beforeAll(async () => {
  const { services } = service;
  queues = allQueues(2).map((place) => createQueue(place, services));
  jobs = await Promise.all(queues.map(fill));
});
afterAll(() => Promise.all(queues.map((queue) => queue.close())));

async function fill(queue: Queue): Promise<Job[]> {
  const data = { gameId: GAME_ID, prepared: { correctOptionId: 1, text: SECRET }, url: SECRET };
  const keep = { removeOnComplete: false, removeOnFail: false, attempts: 1 };
  const done = await queue.add('done', data, { ...keep, jobId: `${queue.name}-done` });
  const failed = await queue.add('failed', data, { ...keep, jobId: `${queue.name}-failed` });
  const handle = async (job: Job) => {
    await job.log(SECRET);
    await job.updateProgress({ text: SECRET });
    if (job.name === 'failed') throw new Error(SECRET);
    return { text: SECRET };
  };
  const source = openJobSource(service.services);
  const worker = new Worker(queue.name, handle, { connection: source.connection, prefix: queue.opts.prefix ?? '' });
  const counts = () => queue.getJobCounts('completed', 'failed');
  await eventually(async () => expect(await counts()).toEqual({ completed: 1, failed: 1 }));
  await worker.close();
  await source.close();
  const later = { ...keep, delay: 60_000, telemetry: { metadata: SECRET } };
  const waiting = await queue.add('waiting', data, { ...later, jobId: `${queue.name}-waiting` });
  await waiting.log(SECRET);
  await queue.upsertJobScheduler('often', { every: 60_000 }, { name: 'often', data });
  return [waiting, done, failed];
}

/** The names of the queues in the addresses of the board. */
const NAMES = ['0-clock', '1-clock', 'mail-request', 'mail', 'chores'];

/** The parameters of routes that are the same for all queues and jobs. */
const SAME_PARAMETERS = { queueStatus: 'failed', schedulerId: 'often' };

/** @returns all requests that a route of the board has, for every queue and job */
function requestsOf(route: string): Set<string> {
  const requests = NAMES.flatMap((queueName, index) =>
    (jobs[index] ?? []).map((job) => {
      const parameters: Record<string, string | undefined> = { ...SAME_PARAMETERS, queueName, jobId: job.id };
      return route.replace(/:(\w+)/g, (_, name) => String(parameters[name]));
    }),
  );
  return new Set(requests);
}

const get = (path: string) => operators.get(`/console/queues${path}`);
const routes = appRoutes.api.flatMap(({ method, route }) =>
  [route].flat().flatMap((path) => [method].flat().map((one) => ({ method: one, path }))),
);
const reading = routes.filter(({ method }) => method === 'get');

test('the board has all queues, and the jobs of each in every state', async () => {
  expect(reading.length).toBeGreaterThan(10);
  const { body } = await get('/api/queues');
  expect(body.queues).toMatchObject(NAMES.map((name) => ({ name })));
  for (const queue of NAMES) {
    const { body } = await get(`/api/queues?activeQueue=${queue}&jobsPerPage=50`);
    const active = body.queues.find(({ name }: { name: string }) => name === queue);
    const shown = ['waiting', 'done', 'failed'].map((name) => expect.objectContaining({ name }));
    expect(active).toMatchObject({ readOnlyMode: true, jobs: expect.arrayContaining(shown) });
  }
  const { body: one } = await get('/api/queues/0-clock/clock-failed');
  expect(one).toMatchObject({ status: 'failed', job: { data: { gameId: GAME_ID } } });
  expect(Object.keys(one.job.data)).toEqual(['gameId']);
});

test('no route of the board shows what is in a job’s data, result, error, options, progress or log', async () => {
  const queries = ['', ...NAMES.map((name) => `?activeQueue=${name}&jobsPerPage=50`)];
  for (const { path } of reading)
    for (const address of requestsOf(path))
      for (const query of path === '/api/queues' ? queries : ['']) {
        const { status, body } = await get(`${address}${query}`);
        expect([address, status]).toEqual([address, expect.toBeOneOf([200, 404])]);
        expect(JSON.stringify(body), address).not.toMatch(/the-secret|correctOptionId/);
      }
});

test('the board changes nothing', async () => {
  const states = () => Promise.all(jobs.flat().map((job) => job.getState()));
  const before = await states();
  for (const { method, path } of routes.filter(({ method }) => method !== 'get'))
    for (const address of requestsOf(path)) {
      const { status } = await operators.request(method.toUpperCase(), `/console/queues${address}`);
      expect([method, address, status]).toEqual([method, address, 405]);
    }
  expect(await states()).toEqual(before);
  expect(await Promise.all(queues.map((queue) => queue.isPaused()))).toEqual(queues.map(() => false));
});

test('the board reads a bounded number of jobs at once', async () => {
  for (const number of ['51', '1000000', 'x', '-1'])
    expect(await get(`/api/queues?activeQueue=mail&jobsPerPage=${number}`)).toMatchObject({ status: 400 });
});
