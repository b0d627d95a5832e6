// What tests of accounts stand on: replicas on stores of their own, with a worker where mails are read.
import { startJobs } from '../../worker/jobs.ts';
import { startReplicas, startService, type TestService } from './service.ts';
import { startStores } from './stores.ts';

export interface TwoReplicas {
  here: TestService;
  there: TestService;
  /** @returns whether the other replica takes the cookie for a session */
  isValid(cookie: string): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts two replicas, so that what one is told is seen to hold on the other. */
export async function startTwoReplicas(): Promise<TwoReplicas> {
  const stores = await startStores();
  const [here, there] = (await startReplicas(stores, 2)) as [TestService, TestService];
  return {
    here,
    there,
    isValid: async (cookie) => (await there.services.userSessions.findUser({ cookie })) !== null,
    async stop() {
      for (const replica of [here, there]) await replica.stop();
      await stores.stop();
    },
  };
}

/**
 * Starts a replica and a worker, which sends the mails.
 * @param env overrides, as in the environment
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
