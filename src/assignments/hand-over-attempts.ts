// Transfers a guest's attempts to the account that the guest signs in to. [contract 21]
import type { Prisma } from '../generated/prisma/client.ts';
import { recountPeople } from './people-store.ts';

/**
 * Numbers the guest's attempts after those of the account, and finishes the guest's open one where the account has one
 * too. Somebody who was two people counts once. It locks assignments before attempts, as their deletions do. Repeating
 * it changes nothing.
 * @param tx a transaction that has locked both users, so that neither begins an attempt meanwhile
 */
export async function handOverAttempts(
  tx: Prisma.TransactionClient,
  guestId: string,
  accountId: string,
): Promise<void> {
  const begun = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM assignment
     WHERE id IN (SELECT assignment_id FROM assignment_person WHERE user_id = ${guestId}::uuid)
     ORDER BY id FOR NO KEY UPDATE`;
  if (begun.length === 0) return;
  const ids = begun.map(({ id }) => id);
  await tx.$executeRaw`
    UPDATE assignment_attempt t SET finished_at = least(now(), closes_at)
      FROM assignment a
     WHERE t.assignment_id = ANY(${ids}::uuid[]) AND t.user_id = ${guestId}::uuid AND t.finished_at IS NULL
       AND a.id = t.assignment_id
       AND EXISTS (SELECT FROM assignment_attempt own
                    WHERE own.assignment_id = t.assignment_id AND own.user_id = ${accountId}::uuid
                      AND own.finished_at IS NULL)`;
  await tx.$executeRaw`
    UPDATE assignment_attempt t
       SET user_id = ${accountId}::uuid,
           number = number + (SELECT coalesce(max(number), 0) FROM assignment_attempt own
                               WHERE own.assignment_id = t.assignment_id AND own.user_id = ${accountId}::uuid)
     WHERE assignment_id = ANY(${ids}::uuid[]) AND user_id = ${guestId}::uuid`;
  await tx.$executeRaw`
    INSERT INTO assignment_person AS known (assignment_id, user_id, name, is_guest)
    SELECT assignment_id, account.id, account.name, false
      FROM assignment_person p, "user" account
     WHERE p.user_id = ${guestId}::uuid AND account.id = ${accountId}::uuid
    ON CONFLICT (assignment_id, user_id) DO NOTHING`;
  await tx.assignmentPerson.deleteMany({ where: { userId: guestId } });
  await tx.$executeRaw`
    UPDATE assignment_person p SET has_finished = true
     WHERE assignment_id = ANY(${ids}::uuid[]) AND user_id = ${accountId}::uuid AND NOT has_finished
       AND EXISTS (SELECT FROM assignment_attempt t
                    WHERE t.assignment_id = p.assignment_id AND t.user_id = p.user_id AND finished_at IS NOT NULL)`;
  await recountPeople(tx, ids);
}
