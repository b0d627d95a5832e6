// Serves health checks for load balancers and people. Their responses are neither cached nor rate limited, and don't
// tell what exactly failed. [contract 7, 18]
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { STORE_STATES, type StoreChecks } from '../platform/outages/store-checks.ts';

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

export interface ReadinessDeps {
  lifecycle: { readonly draining: boolean };
  storeChecks: Pick<StoreChecks, 'wereReached'>;
}

export interface HealthDeps extends ReadinessDeps {
  version: string;
  storeChecks: Pick<StoreChecks, 'look' | 'wereReached'>;
}

/** @returns whether the process has reached its stores once and is not being stopped; the stores are not asked */
export function readinessOf({ lifecycle, storeChecks }: ReadinessDeps) {
  if (lifecycle.draining) return 'draining';
  return storeChecks.wereReached() ? 'ok' : 'starting';
}

/** Serves GET /api/health, /api/health/ready and /api/health/live. */
export function registerHealth(app: FastifyInstance, { version, lifecycle, storeChecks }: HealthDeps): void {
  const common = { tags: ['Operations'], security: [] };

  app.get(
    '/api/health',
    {
      schema: {
        ...common,
        summary: 'Whether this replica can work',
        description:
          'Asks PostgreSQL and Redis whether they would take a write, a second at most and twice a ' +
          'second at most, however many requests there are. Needs no authentication.',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const checks = await storeChecks.look();
      const healthy = Object.values(checks).every((result) => result === 'ok');
      const status = lifecycle.draining ? 'draining' : healthy ? 'ok' : 'degraded';
      return answer(reply, status, { version, checks });
    },
  );
  app.get(
    '/api/health/ready',
    {
      schema: {
        ...common,
        summary: 'Whether a load balancer should send requests here',
        description:
          '`starting` until both stores were first reached, `draining` once it is being stopped. It ' +
          'does not look at the stores: when one is away, that is so for all replicas.',
        response: { 200: Ready, 503: Ready },
      },
    },
    async (_request, reply) => answer(reply, readinessOf({ lifecycle, storeChecks })),
  );
  app.get(
    '/api/health/live',
    { schema: { ...common, summary: 'Whether the process runs', response: { 200: Live } } },
    async (_request, reply) => answer(reply, 'ok'),
  );
}

/** Answers with 200 for the status `ok`, and with 503 for any other. */
function answer(reply: FastifyReply, status: string, more: object = {}): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .status(status === 'ok' ? 200 : 503)
    .send({ status, ...more });
}
