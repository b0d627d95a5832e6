// The operator's command for one account: npm run accounts -- sign-out | reset-second-factor | delete EMAIL.

import { isOperatorAction, OPERATOR_ACTIONS } from '../../accounts/operator-actions.ts';
import { findUser } from '../../accounts/store.ts';
import { createAuditLog } from '../../auth/audit.ts';
import { createMailQueue } from '../../auth/mail/mail-queue.ts';
import { createSessionCache } from '../../auth/sessions/secondary-storage.ts';
import { createPendingAnnouncements, eventWriter } from '../../lobby/event-log.ts';
import { createClock } from '../../match/clock/clock.ts';
import { createLogger } from '../../platform/observability/logger.ts';
import { asksForHelp } from '../cli/help.ts';
import { runCommand, withStores } from '../cli/operate.ts';

const USAGE = `Usage: npm run accounts -- sign-out EMAIL
       npm run accounts -- reset-second-factor EMAIL
       npm run accounts -- delete EMAIL
    Ends all sessions of an account; takes its second factor as well, and tells the owner by mail; or
    deletes it. Open sockets are closed within a minute.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.
    Ends with 0: done, 1: no such account, 2: used wrongly, 3: a store is away.`;

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    console.log(USAGE);
    return 0;
  }
  const [name = '', email = '', ...surplus] = args;
  if (!isOperatorAction(name) || !email || surplus.length > 0) {
    console.error(USAGE);
    return 2;
  }
  return withStores(createLogger('info', 'accounts', process.stderr), async (stores) => {
    const { db, redis, logger, lobbyIdleTtlSeconds } = stores;
    const user = await findUser(db, email);
    if (!user) {
      console.error('No account has this address.');
      return 1;
    }
    const clock = createClock(stores, stores.clockQueues);
    const writer = eventWriter(redis, lobbyIdleTtlSeconds);
    const pendingAnnouncements = createPendingAnnouncements(writer);
    const sessionCache = createSessionCache(redis, db);
    const mailQueue = createMailQueue(stores);
    const audit = createAuditLog(logger);
    const deps = { ...stores, ...writer, clock, pendingAnnouncements, sessionCache, mailQueue, audit };
    console.log(await OPERATOR_ACTIONS[name](deps, user));
    await mailQueue.close();
    await pendingAnnouncements.flush();
    await clock.close();
    return 0;
  });
}

await runCommand(() => main(process.argv.slice(2)), { misused: 2, outage: 3 });
