// better-auth swallows some failures of the stores: it would report success for a sign-out that did not happen, or
// for a sign-up whose email is never sent. So the first outage during a request is recorded here, the stores are not
// used again, and the request fails as a whole. [contract 8]
import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../errors.ts';
import { isOutage } from '../platform/outages/outage.ts';

const requests = new AsyncLocalStorage<{ outage?: unknown }>();

/** Runs `work`. @throws the first outage that `noteOutage` recorded meanwhile, even if `work` succeeded */
export async function failOnOutage<T>(work: () => Promise<T>): Promise<T> {
  const request: { outage?: unknown } = {};
  const [done] = await Promise.allSettled([requests.run(request, work)]);
  if (request.outage) throw request.outage;
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** Uses a store within the current request, unless that has seen an outage already. */
export async function noteOutage<T>(ask: () => Promise<T>): Promise<T> {
  const request = requests.getStore();
  if (request?.outage) throw request.outage;
  try {
    return await ask();
  } catch (error) {
    const isUnavailable = isOutage(error) || (error instanceof AppError && error.code === 'UNAVAILABLE');
    if (request && isUnavailable) request.outage ??= error;
    throw error;
  }
}
