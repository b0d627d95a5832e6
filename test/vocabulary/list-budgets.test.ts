// A user can store a limited number of bytes of lists. [contract 17]
import { describe, expect, it } from 'vitest';
import { handOver } from '../../src/accounts/hand-over.ts';
import { BUDGETS } from '../../src/budgets.ts';
import type { ListTerm } from '../../src/vocabulary/lists/schema.ts';
import { useTwoReplicas } from '../support/accounts.ts';
import { codeOf } from '../support/http-client.ts';
import { listOf } from '../support/lists.ts';
import { createPerson, type Person } from '../support/users.ts';

const MIB = 1024 * 1024;
const LISTS = '/api/v1/lists';
const LISTS_TOO_LARGE = [409, 'LISTS_TOO_LARGE'];

const { here, there } = useTwoReplicas();

async function newOwner({ isGuest = false } = {}): Promise<Person> {
  const owner = await createPerson(here);
  await here.services.db.user.update({ where: { id: owner.user.id }, data: { isAnonymous: isGuest } });
  return owner;
}

function termsOfSize(bytes: number): ListTerm[] {
  const term = (at: number) => ({
    sourceText: `${at} ${'😀'.repeat(110)}`,
    targetText: `${at} ${'🎈'.repeat(110)}`,
    sourceGloss: '😀'.repeat(200),
  });
  const size = Buffer.byteLength(JSON.stringify(term(1000))) + 1;
  return Array.from({ length: Math.floor((bytes - 2) / size) }, (_, at) => term(1000 + at));
}

const create = ({ client }: Person, bytes: number, name = 'list') =>
  client.post(LISTS, listOf({ name, terms: termsOfSize(bytes) }));
const replace = ({ client }: Person, listId: string, bytes: number) =>
  client.put(`${LISTS}/${listId}`, listOf({ terms: termsOfSize(bytes) }));

/** @returns the bytes of the user's lists as the service counts them, and as PostgreSQL stores them */
async function storedBytes({ user: { id } }: Person): Promise<{ counted: number; stored: number }> {
  const [row] = await here.services.db.$queryRaw<[{ counted: number; stored: number }]>`
    SELECT coalesce(sum(bytes), 0)::int AS counted,
           coalesce(sum(octet_length(terms::text)), 0)::int AS stored
      FROM word_list WHERE owner_id = ${id}::uuid`;
  return row;
}

describe('[contract 17] the lists of a user', () => {
  it('have at most 8 MiB together: beyond it 409 LISTS_TOO_LARGE, and nothing changes', async () => {
    const owner = await newOwner();
    for (let count = 0; count < 4; count++) expect((await create(owner, 1.8 * MIB)).status).toBe(201);
    expect(codeOf(await create(owner, 1.5 * MIB))).toEqual(LISTS_TOO_LARGE);
    expect((await owner.client.get(LISTS)).body.lists).toHaveLength(4);
    const { counted, stored } = await storedBytes(owner);
    expect(counted).toBeLessThanOrEqual(BUDGETS.listsOfAccount.max);
    // PostgreSQL adds spaces to the JSON that it stores, which do not count.
    expect(stored).toBeLessThan(1.02 * counted);
    expect((await create(owner, 0.7 * MIB)).status).toBe(201);
  });

  it('have at most 1 MiB if the user is a guest', async () => {
    const guest = await newOwner({ isGuest: true });
    expect((await create(guest, 0.9 * MIB)).status).toBe(201);
    expect(codeOf(await create(guest, 0.2 * MIB))).toEqual(LISTS_TOO_LARGE);
    expect((await create(guest, 0.05 * MIB)).status).toBe(201);
  });

  it('are replaced if the new ones fit, and stay unchanged otherwise', async () => {
    const guest = await newOwner({ isGuest: true });
    const { listId } = (await create(guest, 0.5 * MIB)).body;
    await create(guest, 0.4 * MIB);
    expect(codeOf(await replace(guest, listId, 0.7 * MIB))).toEqual(LISTS_TOO_LARGE);
    expect((await storedBytes(guest)).counted).toBeLessThan(0.9 * MIB);
    expect((await replace(guest, listId, 0.55 * MIB)).status).toBe(200);
    expect(codeOf(await replace(await newOwner(), listId, 0.1 * MIB))).toEqual([404, 'LIST_NOT_FOUND']);
  });

  it('never exceed the limit, however many are stored at once on two replicas', async () => {
    const guest = await newOwner({ isGuest: true });
    const { listId } = (await create(guest, 0.1 * MIB)).body;
    const elsewhere = { ...guest, client: guest.client.at(there.url) };
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, (_, at) => create(at % 2 ? guest : elsewhere, 0.3 * MIB)),
      replace(guest, listId, 0.6 * MIB),
      replace(elsewhere, listId, 0.6 * MIB),
    ]);
    for (const { status, body } of replies)
      if (status === 409) expect(body.code).toBe('LISTS_TOO_LARGE');
      else expect([200, 201, 429]).toContain(status);
    expect(replies.some(({ status }) => status < 300)).toBe(true);
    const { counted } = await storedBytes(guest);
    expect(counted).toBeLessThanOrEqual(BUDGETS.listsOfGuest.max);
    expect(counted).toBeGreaterThan(0.3 * MIB);
  });

  it('of a guest go to the account as far as they fit, the newest first, once', async () => {
    const [guest, account] = [await newOwner({ isGuest: true }), await newOwner()];
    for (const [name, size] of Object.entries({ old: 0.05, large: 0.5, new: 0.3 }))
      await create(guest, size * MIB, name);
    for (const size of [1.8, 1.8, 1.8, 1.8, 0.4]) await create(account, size * MIB, 'own');
    for (let time = 0; time < 2; time++) {
      await handOver(here.services.db, guest.user.id, account.user.id);
      const { lists } = (await account.client.get(LISTS)).body;
      const names = lists.map(({ name }: { name: string }) => name);
      expect(names.toSorted().join()).toBe('new,old,own,own,own,own,own');
      expect((await guest.client.get(LISTS)).body.lists).toEqual([]);
    }
    expect((await storedBytes(account)).counted).toBeLessThanOrEqual(BUDGETS.listsOfAccount.max);
  });
});
