// The worker removes guests without a valid session, however many there are. [contract 11]
import { afterEach, beforeEach, expect, test } from 'vitest';
import { finishDeletions, removeGuests } from '../../src/accounts/delete-account.ts';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { captureLog } from '../support/log-capture.ts';
import { useService } from '../support/service.ts';
import { withTrigger } from '../support/sql.ts';

const { service } = useService();
const db = () => service.services.db;

const log = captureLog();
beforeEach(log.clear);
afterEach(async () => {
  await db().$executeRaw`DELETE FROM "user"`;
  await db().$executeRaw`DELETE FROM user_deletion`;
});

const deps = () => ({ ...service.services, logger: createLogger('error', 'worker', log.stream) });

/** Adds guests without a session, who were created two days ago. @returns their ids */
async function addGuestsWithoutSession(count: number, name = 'Ada'): Promise<string[]> {
  const rows = await db().$queryRaw<{ id: string }[]>`
    INSERT INTO "user" (id, name, email, email_verified, is_anonymous, created_at, updated_at)
    SELECT id, ${name}, id || '@guests.invalid', false, true, now() - interval '2 days', now()
      FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, ${count})) made
    RETURNING id`;
  return rows.map(({ id }) => id);
}

const guests = () => db().user.count();

test('all guests without a session are removed in one turn of the worker', async () => {
  await addGuestsWithoutSession(100);
  await removeGuests(deps(), 60_000);
  expect(await guests()).toBe(0);
  // The guests have no results in which they must be renamed, so that no deletion is recorded.
  expect(await db().userDeletion.count()).toBe(0);
});

test('a guest whose removal fails does not delay the others, is logged with the id, and is tried again later', async () => {
  // The failing guests are more than the worker claims at a time, and come first in every order.
  const failing = await addGuestsWithoutSession(30, 'Undeletable');
  await db().$executeRaw`UPDATE "user" SET created_at = now() - interval '9 days'`;
  await addGuestsWithoutSession(30);
  const body = `IF OLD.name = 'Undeletable' THEN RAISE 'refused by a trigger'; END IF; RETURN OLD;`;
  await withTrigger(db(), { when: 'BEFORE DELETE ON "user"', body }, async () => {
    await removeGuests(deps(), 60_000);
    expect(await guests()).toBe(30);
    const failures = log.lines().filter(({ msg }) => msg.includes('is not finished'));
    expect(failures.map(({ userId }) => userId)).toEqual(expect.arrayContaining(failing));
    expect(log.lines()[0]?.err?.message).toContain('refused by a trigger');
    // The worker does not try them again at once, because each of them uses some of the turn's time.
    log.clear();
    await finishDeletions(deps(), 60_000);
    expect(log.lines()).toEqual([]);
  });
  await db().$executeRaw`UPDATE user_deletion SET attempted_at = now() - interval '61 seconds'`;
  await finishDeletions(deps(), 60_000);
  expect(await guests()).toBe(0);
});

test('a turn ends in time, and the next one continues', async () => {
  await addGuestsWithoutSession(50);
  await removeGuests(deps(), 0);
  const left = await guests();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(50);
  while ((await guests()) > 0) await finishDeletions(deps(), 0);
});
