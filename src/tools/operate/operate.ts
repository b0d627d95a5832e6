// The operator's program: npm run operate -- inspect CODE | sign-out EMAIL | reset-second-factor EMAIL | delete EMAIL.
// The console shows and does the same.
import { isOperatorAction, OPERATOR_ACTIONS, type OperatorActionName } from '../../accounts/operator-actions.ts';
import { findUser } from '../../accounts/store.ts';
import { createAuditLog } from '../../auth/audit.ts';
import { createMailQueue } from '../../auth/mail/mail-queue.ts';
import { createSessionCache } from '../../auth/sessions/secondary-storage.ts';
import { ConfigError } from '../../config.ts';
import { createLobbyWriter } from '../../lobby/event-log.ts';
import { parseCode } from '../../lobby/rules.ts';
import { createClock } from '../../match/clock/clock.ts';
import { createLogger } from '../../platform/observability/logger.ts';
import { isOutage } from '../../platform/outages/outage.ts';
import { connectPostgres } from '../../platform/postgres/postgres.ts';
import { connectRedis, createRedisClock } from '../../platform/redis/redis.ts';
import { asksForHelp, findStores, PATIENCE_MS } from '../command.ts';
import { reportLobby } from './lobby-report.ts';

const USAGE = `Usage: npm run operate -- inspect CODE
    Prints a lobby's state and its events: times, lateness, which process did what.
       npm run operate -- sign-out EMAIL
       npm run operate -- reset-second-factor EMAIL
       npm run operate -- delete EMAIL
    Ends all sessions of an account; takes its second factor as well, and tells the owner by mail; or
    deletes it. Open sockets are closed within a minute.
    "npm run inspect -- CODE" and "npm run accounts -- sign-out EMAIL" are short for the same.
    DATABASE_URL and REDIS_URL name the stores; without them, those of the "npm run dev" here.
    Ends with 0: done, 1: no such lobby or account, 2: used wrongly, 3: a store is away.`;

const DONE = 0;
const NOT_FOUND = 1;
const MISUSED = 2;
const OUTAGE = 3;

const CONNECTIONS_MAX = 2;

type OpenStores = Awaited<ReturnType<typeof openStores>>;

/** @throws ConfigError if no stores are configured */
async function openStores(isInspection: boolean) {
  const { databaseUrl, redis: address, lobbyIdleTtlSeconds, clockQueues } = findStores();
  if (!databaseUrl || !address)
    throw new ConfigError(['Which stores? Set DATABASE_URL and REDIS_URL, or start "npm run dev" here.']);
  const logger = createLogger(isInspection ? 'silent' : 'info', 'operate', process.stderr);
  const { db, postgres } = connectPostgres(databaseUrl, CONNECTIONS_MAX, { timeoutMs: PATIENCE_MS });
  // One connection serves both roles, since a command sends few Redis commands.
  const redis = connectRedis(address, 'queues', logger);
  const { nowMs, stop } = createRedisClock(redis);
  const clock = createClock({ queueRedis: redis, nowMs, logger }, clockQueues);
  const close = async () => {
    await clock.close();
    stop();
    redis.disconnect();
    await db.$disconnect();
  };
  return { db, postgres, redis, queueRedis: redis, logger, nowMs, clock, lobbyIdleTtlSeconds, close };
}

async function inspect(stores: OpenStores, code: string): Promise<number> {
  const lines = await reportLobby(stores, code);
  if (lines) console.log(lines.join('\n'));
  else console.error(`No lobby and no result has the code ${code}.`);
  return lines ? DONE : NOT_FOUND;
}

async function act(stores: OpenStores, action: OperatorActionName, email: string): Promise<number> {
  const { db, redis, logger, lobbyIdleTtlSeconds } = stores;
  const user = await findUser(db, email);
  if (!user) {
    console.error('No account has this address.');
    return NOT_FOUND;
  }
  const lobbyWriter = createLobbyWriter(redis, lobbyIdleTtlSeconds);
  const mailQueue = createMailQueue(stores);
  const sessionCache = createSessionCache(redis, db);
  const audit = createAuditLog(logger);
  const deps = { ...stores, ...lobbyWriter, sessionCache, mailQueue, audit };
  console.log(await OPERATOR_ACTIONS[action](deps, user));
  await mailQueue.close();
  await lobbyWriter.pendingAnnouncements.flush();
  return DONE;
}

/** @returns the process's exit code */
async function main(args: string[]): Promise<number> {
  if (asksForHelp(args)) {
    console.log(USAGE);
    return DONE;
  }
  const [command = '', subject = '', ...surplus] = args;
  const isInspection = command === 'inspect';
  if ((!isInspection && !isOperatorAction(command)) || !subject || surplus.length > 0) {
    console.error(USAGE);
    return MISUSED;
  }
  const code = isInspection ? parseCode(subject) : null;
  if (isInspection && !code) {
    console.error('A lobby code has six letters and digits.');
    return MISUSED;
  }
  const stores = await openStores(isInspection);
  try {
    await stores.redis.ping();
    return await (code ? inspect(stores, code) : act(stores, command as OperatorActionName, subject));
  } finally {
    await stores.close();
  }
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isMisused = error instanceof ConfigError;
  if (!isMisused && !isOutage(error)) throw error;
  console.error(isMisused ? error.message : 'A store can’t be reached.');
  process.exitCode = isMisused ? MISUSED : OUTAGE;
}
