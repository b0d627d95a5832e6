// Bull Board shows the queues of BullMQ. The clock of a game that starts has all its questions with their answers, and
// an email has a link with a token. So of a job the board gets what is listed here, and nothing else. It can change
// nothing. [contract 5.10, 7]
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyPluginCallback } from 'fastify';

export const QUEUES_PATH = '/console/queues';
/** The board reads at most so many jobs of each state at once; more are refused. */
const JOBS_MAX = 50;
const SHOWN_DATA = 'lobbyId gameId dueMs kind expiresAt';
const SHOWN_OPTIONS = 'attempts backoff delay jobId priority repeat';
const SHOWN_OF_JOB =
  'id name timestamp processedOn processedBy finishedOn delay attempts attemptsStarted stalledCounter priority isFailed';
/** An error's text may quote what it is about. The log has it, without the values. */
const SEE_LOG = 'The log of the workers has the error, under this jobId.';
type Properties = Record<string, unknown>;

/** What is passed on of a reply's body of each route. Any other route is refused, also one of a later version. */
const VIEWS: Record<string, (body: Properties) => Properties | unknown[]> = {
  '/api/redis/stats': (body) => body,
  '/api/queues': ({ queues }) => ({
    queues: (queues as (Properties & { jobs: Properties[] })[]).map((queue) => ({
      ...queue,
      jobs: queue.jobs.map(shownOf),
    })),
  }),
  '/api/queues/:queueName/:jobId': ({ job, status }) => ({ job: shownOf(job as Properties), status }),
  '/api/queues/:queueName/:jobId/logs': () => [],
  // No job is part of a flow.
  '/api/queues/:queueName/:jobId/flow': ({ nodeId }) => ({ nodeId, isFlowNode: false, flowRoot: null }),
  '/api/job-schedulers': ({ schedulers }) => ({
    schedulers: (schedulers as Properties[]).map(({ template: _, ...scheduler }) => scheduler),
  }),
  '/api/queues/:queueName/metrics': (body) => body,
  '/api/queues/:queueName/default-job-options': (body) => body,
  '/api/queues/:queueName/workers': (body) => body,
  '/api/queues/:queueName/rate-limit': (body) => body,
};

export function serveQueues(queues: readonly Queue[]): FastifyPluginCallback {
  const serverAdapter = new FastifyAdapter();
  serverAdapter.setBasePath(QUEUES_PATH);
  createBullBoard({
    queues: queues.map((queue, index) => {
      // The clocks have several queues of one name.
      const isShared = queues.some((other) => other !== queue && other.name === queue.name);
      return new BullMQAdapter(queue, { readOnlyMode: true, prefix: isShared ? `${index}-` : '' });
    }),
    serverAdapter,
    options: {
      uiConfig: { boardTitle: 'Queues', miscLinks: [{ text: 'Console', url: '/console/' }] },
      handlerHooks: {
        before({ method, route, request: { query } }) {
          if (method !== 'get') return { allow: false, status: 405 };
          if (!Object.hasOwn(VIEWS, route)) return { allow: false, status: 404 };
          return { allow: Number(query.jobsPerPage ?? 0) <= JOBS_MAX, status: 400 };
        },
        after({ route }, reply) {
          if ((reply.status ?? 200) !== 200 || typeof reply.body !== 'object') return reply;
          return { ...reply, body: VIEWS[route]?.(reply.body) ?? {} };
        },
      },
    },
  });
  return serverAdapter.registerPlugin();
}

function shownOf(job: Properties): Properties {
  return {
    ...pick(job, SHOWN_OF_JOB),
    progress: null,
    returnValue: null,
    stacktrace: [],
    failedReason: job.failedReason ? SEE_LOG : undefined,
    data: pick(job.data, SHOWN_DATA),
    opts: pick(job.opts, SHOWN_OPTIONS),
  };
}

function pick(from: unknown, names: string): Properties {
  const shown = names.split(' ');
  return Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => shown.includes(name)));
}
