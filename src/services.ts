// The composition root of a replica: creates everything that it holds, and stops it in reverse order. A use case
// declares what it needs of it by type: `Pick<Services, 'db' | 'redis'>`.
import { deleteAccount } from './accounts/delete-account.ts';
import { handOver } from './accounts/hand-over.ts';
import { createAttempts } from './assignments/attempt-store.ts';
import { type Auth, createAuth } from './auth/auth.ts';
import { createUserSessions, type UserSessions } from './auth/sessions/user-sessions.ts';
import { type CommonServices, createCommonServices } from './common-services.ts';
import type { Config } from './config.ts';
import { type CodeMisses, createCodeMisses } from './lobby/find-lobby.ts';
import type { Logger } from './platform/observability/logger.ts';
import { type Load, measureLoad } from './platform/overload/load.ts';
import type { Program } from './platform/redis/processes.ts';
import { connectRedis, type RedisClient } from './platform/redis/redis.ts';
import { createListChecker, type ListChecker } from './vocabulary/lists/list-checker.ts';
import { createPools, followChanges, type Pools } from './vocabulary/pools.ts';

export interface Services extends CommonServices {
  subscriber: RedisClient;
  /** How long a request that begins now would wait in this process. */
  load: Load;
  codeMisses: CodeMisses;
  auth: Auth;
  userSessions: UserSessions;
  /** Samples of the decks in memory, so that questions need no SQL. */
  pools: Pools;
  /** Remembers the questions of assignments, so that an answer costs one statement. */
  attempts: ReturnType<typeof createAttempts>;
  /** Checks the bodies of lists in a thread of its own. */
  listChecker: ListChecker;
}

export function createServices(config: Config, logger: Logger, program?: Program): Services {
  const common = createCommonServices(config, logger, program);
  const { db, postgres, poolWaits, random, redis, sessionCache } = common;
  const load = measureLoad(poolWaits);
  const pools = createPools({ db, postgres, logger, random });
  const subscriber = connectRedis(config.redis, 'subscriber', logger);
  followChanges(subscriber, pools.invalidate);
  const listChecker = createListChecker();
  const auth = createAuth({
    ...common,
    deleteAccount: (userId) => deleteAccount(common, userId),
    handOver: (guestId, accountId) => handOver(db, guestId, accountId),
  });
  return {
    ...common,
    auth,
    listChecker,
    load,
    pools,
    subscriber,
    codeMisses: createCodeMisses(redis, config.rateLimits),
    userSessions: createUserSessions(auth, sessionCache),
    attempts: createAttempts(common.postgres),
    async stop() {
      await listChecker.stop();
      load.stop();
      subscriber.disconnect();
      await common.stop();
    },
  };
}
