// Whether this replica can work, for load balancers and people. Never cached, never limited, never
// a word on what exactly failed. [contract 7]
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';

const CHECK_TIMEOUT_MS = 1000;
/** A flood of health requests shares one check for this long. */
const CHECK_LIFETIME_MS = 500;

const CheckResult = z.enum(['ok', 'down']);
type CheckResult = z.infer<typeof CheckResult>;

const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'draining']),
    version: z.string(),
    checks: z.object({ postgres: CheckResult, redis: CheckResult }),
  })
  .meta({
    id: 'Health',
    description: '`draining`: this replica is being stopped, look for another one.',
    examples: [{ status: 'ok', version: '1.0.0', checks: { postgres: 'ok', redis: 'ok' } }],
  });

const Live = z
  .object({ status: z.literal('ok') })
  .meta({ id: 'Live', examples: [{ status: 'ok' }] });

/** What health looks at. A check is good when it resolves. */
export interface HealthDeps {
  version: string;
  lifecycle: { readonly draining: boolean };
  checks: { postgres: () => Promise<unknown>; redis: () => Promise<unknown> };
}

/** Serves GET /api/health and GET /api/health/live. */
export function registerHealth(app: FastifyInstance, deps: HealthDeps): void {
  const check = shared(async () => {
    const [postgres, redis] = await Promise.all([
      outcome(deps.checks.postgres),
      outcome(deps.checks.redis),
    ]);
    return { postgres, redis };
  });
  const common = { tags: ['Operations'], security: [] };

  app.get(
    '/api/health',
    {
      schema: {
        ...common,
        summary: 'Whether this replica can work',
        description: 'Checks PostgreSQL and Redis, a second at most. Needs no authentication.',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const checks = await check();
      const healthy = Object.values(checks).every((result) => result === 'ok');
      const status = deps.lifecycle.draining ? 'draining' : healthy ? 'ok' : 'degraded';
      return uncached(reply)
        .status(status === 'ok' ? 200 : 503)
        .send({ status, version: deps.version, checks });
    },
  );
  app.get(
    '/api/health/live',
    { schema: { ...common, summary: 'Whether the process runs', response: { 200: Live } } },
    async (_request, reply) => uncached(reply).send({ status: 'ok' }),
  );
}

function uncached(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}

async function outcome(check: () => Promise<unknown>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), CHECK_TIMEOUT_MS);
  });
  const result = check().then(
    () => 'ok' as const,
    () => 'down' as const,
  );
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}

/** Calls `fn` again only when its last call has ended and began a while ago. */
function shared<T>(fn: () => Promise<T>): () => Promise<T> {
  let last: { startedAt: number; isRunning: boolean; result: Promise<T> } | undefined;
  return () => {
    if (last && (last.isRunning || performance.now() - last.startedAt < CHECK_LIFETIME_MS))
      return last.result;
    const call = { startedAt: performance.now(), isRunning: true, result: fn() };
    const ended = () => {
      call.isRunning = false;
    };
    call.result.then(ended, ended);
    last = call;
    return call.result;
  };
}
