// Serves health checks for load balancers and people. Their responses are neither cached nor rate limited, and don't
// tell what exactly failed. [contract 7, 18]
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { STORE_STATES } from '../platform/outages/store-checks.ts';
import { type ReadinessServices, readinessOf } from './metrics-server.ts';
import { describeOperations, type Route, route } from './operation.ts';

const CheckResult = z.enum(STORE_STATES);

const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'draining']).describe('Whether this replica can work.'),
    version: z.string().describe('The version of the service.'),
    checks: z
      .object({
        postgres: CheckResult.describe('Whether PostgreSQL answers and accepts writes.'),
        redis: CheckResult.describe('Whether Redis answers and accepts writes.'),
      })
      .describe('The state of each store.'),
  })
  .meta({
    id: 'Health',
    description:
      '`draining`: this replica is being stopped, look for another one. A check is `read_only` when ' +
      'that store answers and refuses writes.',
    examples: [{ status: 'ok', version: '1.0.0', checks: { postgres: 'ok', redis: 'ok' } }],
  });

const Ready = z
  .object({
    status: z.enum(['starting', 'ok', 'draining']).describe('Whether a load balancer should send requests here.'),
  })
  .meta({ id: 'Ready', examples: [{ status: 'ok' }] });

const Live = z
  .object({ status: z.literal('ok').describe('Always `ok`.') })
  .meta({ id: 'Live', examples: [{ status: 'ok' }] });

const operations = describeOperations(
  { tag: 'Operations', access: 'anyone' },
  {
    getHealth: {
      at: 'GET /api/health',
      summary: 'Whether this replica can work',
      description:
        'Asks PostgreSQL and Redis whether they would take a write, a second at most and twice a second at most, however many requests there are. Needs no authentication.',
      replies: { 200: Health, 503: Health },
    },

    getReadiness: {
      at: 'GET /api/health/ready',
      summary: 'Whether a load balancer should send requests here',
      description:
        '`starting` until both stores were first reached, `draining` once it is being stopped. It does not look at the stores: when one is away, that is so for all replicas.',
      replies: { 200: Ready, 503: Ready },
    },

    getLiveness: { at: 'GET /api/health/live', summary: 'Whether the process runs', replies: { 200: Live } },
  },
);

export function healthRoutes({ version, lifecycle, storeChecks }: ReadinessServices & { version: string }): Route[] {
  return [
    route(operations.getHealth, async (_request, reply) => {
      const checks = await storeChecks.look();
      const whileServing = Object.values(checks).every((result) => result === 'ok') ? 'ok' : 'degraded';
      return answer(reply, lifecycle.draining ? 'draining' : whileServing, { version, checks });
    }),
    route(operations.getReadiness, async (_request, reply) => answer(reply, readinessOf({ lifecycle, storeChecks }))),
    route(operations.getLiveness, async (_request, reply) => answer(reply, 'ok')),
  ];
}

function answer(reply: FastifyReply, status: string, more: object = {}): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .status(status === 'ok' ? 200 : 503)
    .send({ status, ...more });
}
