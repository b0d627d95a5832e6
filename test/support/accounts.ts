// Starts the service for tests of accounts: replicas and their stores, and a worker where emails are read.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { Services } from '../../src/services.ts';
import { startJobs } from '../../worker/jobs.ts';
import type { Consumer } from '../../worker/queues.ts';
import { startReplicas, startService, type TestService } from './service.ts';
import { startStores, type TestStores } from './stores.ts';

export interface TwoReplicas {
  here: TestService;
  there: TestService;
  /** @returns whether the replica `there` accepts the session cookie */
  isValid(cookie: string): Promise<boolean>;
}

/**
 * Two replicas for all tests of a file, so that a test can change an account on one and check the other. They
 * exist from the file's first `beforeAll` until its last `afterAll`.
 */
export function useTwoReplicas(): TwoReplicas {
  const [here, there, stores] = [{}, {}, {}] as [TestService, TestService, TestStores];
  beforeAll(async () => {
    Object.assign(stores, await startStores());
    const replicas = await startReplicas(stores, 2);
    Object.assign(here, replicas[0]);
    Object.assign(there, replicas[1]);
  });
  afterAll(async () => {
    for (const replica of [here, there]) await replica.stop();
    await stores.stop();
  });
  return { here, there, isValid: async (cookie) => (await there.services.userSessions.findUser({ cookie })) !== null };
}

/**
 * Starts a replica and a worker that sends its emails.
 * @param env overrides of environment variables
 */
export async function startMailingService(env: NodeJS.ProcessEnv = {}): Promise<TestService> {
  const stores = await startStores();
  const service = await startService(stores, env);
  const worker = startJobs(service.services);
  return {
    ...service,
    async stop() {
      await worker.close();
      await service.stop();
      await stores.stop();
    },
  };
}

export interface MailingReplicas {
  service: TestService;
  /** Another replica of the same service, if there is more than one. */
  other: TestService;
  stores: TestStores;
}

/**
 * Replicas and a worker, which sends the mails, for all tests of a file: they exist from its first
 * `beforeAll` until its last `afterAll`.
 * @param options.env overrides, as in the environment
 */
export function useMailingReplicas({
  count = 2,
  env = {},
}: {
  count?: number;
  env?: NodeJS.ProcessEnv;
} = {}): MailingReplicas {
  const [service, other, stores] = [{}, {}, {}] as [TestService, TestService, TestStores];
  let worker: Consumer;
  beforeAll(async () => {
    Object.assign(stores, await startStores());
    const replicas = await startReplicas(stores, count, env);
    Object.assign(service, replicas[0]);
    Object.assign(other, replicas[1]);
    worker = startJobs(service.services);
  });
  afterAll(async () => {
    await worker.close();
    await service.stop();
    if (count > 1) await other.stop();
    await stores.stop();
  });
  return { service, other, stores };
}

/** @returns the token of a new link that resets the user's password, valid for a minute */
export async function createResetToken({ auth }: Pick<Services, 'auth'>, userId: string): Promise<string> {
  const token = randomUUID();
  await (await auth.$context).internalAdapter.createVerificationValue({
    identifier: `reset-password:${token}`,
    value: userId,
    expiresAt: new Date(Date.now() + 60_000),
  });
  return token;
}
