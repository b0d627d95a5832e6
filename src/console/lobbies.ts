// The running lobbies, in pages, the longest running first.
import { z } from 'zod';
import { createPageCursor } from '../http/page-cursor.ts';
import { type MatchHead, type RoundProgress, readHead, readProgress } from '../match/store.ts';
import type { Database } from '../platform/postgres/postgres.ts';
import type { RedisClient } from '../platform/redis/redis.ts';

const PAGE_SIZE = 50;

const cursor = createPageCursor(z.tuple([z.coerce.number().int(), z.uuid()]), '`after` of the link to this page');

/** The query of a page. */
export const LobbiesQuery = z.object({ after: cursor.schema.optional() });

export interface RunningLobby {
  code: string;
  players: number;
  capacity: number;
  startedAt: Date;
  /** Null where Redis has no game of the lobby. */
  head: MatchHead | null;
  /** Null between rounds. */
  progress: RoundProgress | null;
}

/** @returns a page of the running lobbies; `next` is the cursor of the next one */
export async function listLobbies(
  { db, redis }: { db: Database; redis: RedisClient },
  { after }: z.output<typeof LobbiesQuery>,
): Promise<{ lobbies: RunningLobby[]; next?: string }> {
  const [startedAtMs, id] = after ?? [];
  const startedAt = startedAtMs === undefined ? undefined : new Date(startedAtMs);
  const rows = await db.lobby.findMany({
    where: {
      status: 'running',
      // A running lobby's `activeAt` is the time of its start.
      ...(startedAt && { activeAt: { gte: startedAt }, NOT: { activeAt: startedAt, id: { lte: id as string } } }),
    },
    select: { id: true, code: true, playerCount: true, capacity: true, activeAt: true },
    orderBy: [{ activeAt: 'asc' }, { id: 'asc' }],
    take: PAGE_SIZE + 1,
  });
  const shown = rows.slice(0, PAGE_SIZE);
  const lobbies = await Promise.all(
    shown.map(async ({ id: lobbyId, code, playerCount: players, capacity, activeAt }) => {
      const [head, progress] = await Promise.all([readHead(redis, lobbyId), readProgress(redis, lobbyId)]);
      return { code, players, capacity, startedAt: activeAt, head, progress };
    }),
  );
  const last = rows.length > PAGE_SIZE ? shown.at(-1) : undefined;
  return { lobbies, ...(last && { next: cursor.toText([last.activeAt.getTime(), last.id]) }) };
}
