// Transfers a guest's lists to the account that the guest signs in to. [contract 11, 17]
import { BUDGETS } from '../../budgets.ts';
import type { Prisma } from '../../generated/prisma/client.ts';

/**
 * Transfers lists, the newest first, as far as the account's quota allows, and deletes the others. Repeating
 * it changes nothing.
 * @param tx a transaction that has locked both users, so that neither stores a list meanwhile
 */
export async function handOverLists(tx: Prisma.TransactionClient, guestId: string, accountId: string): Promise<void> {
  const stored = await tx.wordList.aggregate({ where: { ownerId: accountId }, _sum: { bytes: true } });
  const guestLists = await tx.wordList.findMany({
    where: { ownerId: guestId },
    select: { id: true, bytes: true },
    orderBy: [{ updatedAt: 'desc' }, { id: 'asc' }],
  });
  let room = BUDGETS.listsOfAccount.max - (stored._sum.bytes ?? 0);
  const fitting = guestLists.filter(({ bytes }) => {
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  await tx.wordList.updateMany({ where: { id: { in: fitting.map(({ id }) => id) } }, data: { ownerId: accountId } });
  await tx.wordList.deleteMany({ where: { ownerId: guestId } });
}
