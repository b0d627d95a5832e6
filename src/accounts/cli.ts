// npm run accounts -- sign-out EMAIL | delete EMAIL: what an operator does for, or to, a user.
import { createSessionCache } from '../auth/session-cache.ts';
import { eventWriter } from '../lobby/event-log.ts';
import { createOwedStates } from '../lobby/owed-states.ts';
import { runCommand, withStores } from '../local-stack/operate.ts';
import { createClock } from '../match/clock.ts';
import { createLogger } from '../platform/logger.ts';
import { type DeletionDeps, deleteAccount } from './delete-account.ts';
import { signOutEverywhere } from './sign-out-everywhere.ts';
import { findUserId } from './store.ts';

const USAGE = `Usage: npm run accounts -- sign-out EMAIL
       npm run accounts -- delete EMAIL
    Ends all sessions of an account, or deletes it; open sockets are closed within a minute.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.
    Ends with 0: done, 1: no such account, 2: used wrongly, 3: a store is away.`;

const COMMANDS: Record<string, (deps: DeletionDeps, userId: string) => Promise<string>> = {
  async 'sign-out'(deps, userId) {
    return `Signed out: ${await signOutEverywhere(deps, userId)} session(s).`;
  },
  async delete(deps, userId) {
    await deleteAccount(deps, userId);
    return 'Deleted.';
  },
};

/** @returns the process's exit code */
async function main([name = '', email = '', ...surplus]: string[]): Promise<number> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command || !email || surplus.length > 0) {
    console.error(USAGE);
    return 2;
  }
  return withStores(createLogger('info', 'accounts', process.stderr), async (stores) => {
    const { db, redis, lobbyIdleTtlSeconds } = stores;
    const userId = await findUserId(db, email);
    if (!userId) {
      console.error('No account has this address.');
      return 1;
    }
    const clock = createClock(stores, 1);
    const writer = eventWriter(lobbyIdleTtlSeconds);
    const owedStates = createOwedStates(redis, writer);
    const sessionCache = createSessionCache(redis, db);
    const deps = { ...stores, ...writer, clock, owedStates, sessionCache };
    console.log(await command(deps, userId));
    await owedStates.stop();
    await clock.close();
    return 0;
  });
}

await runCommand(() => main(process.argv.slice(2)), { misused: 2, outage: 3 });
