// Which lobbies strangers can join now, in PostgreSQL.
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from '../platform/overload/batches.ts';
import type { Database } from '../platform/postgres/postgres.ts';

/** The condition under which a row of `lobby` can be joined by a user whom its host has not removed. */
export const IS_JOINABLE = Prisma.sql`
  NOT lobby.locked AND lobby.player_count < lobby.capacity
  AND (lobby.status = 'waiting' OR (lobby.status = 'running' AND lobby.settings @> '{"lateJoin": true}'))`;

export interface JoinableLobby {
  lobbyId: string;
  capacity: number;
}

/** Finds lobbies by their parsed codes. @returns null where there is none that can be joined now */
export const findJoinable = inBatches(
  async (db: Database, codes: string[]): Promise<(JoinableLobby | null)[]> => {
    const rows = await db.$queryRaw<(JoinableLobby & { code: string })[]>`
      SELECT id AS "lobbyId", code, capacity FROM lobby
       WHERE code = ANY((SELECT ${codes}::char(6)[])::char(6)[]) AND ${IS_JOINABLE}`;
    const found = new Map(rows.map(({ code, ...lobby }) => [code, lobby]));
    return codes.map((code) => found.get(code) ?? null);
  },
  (code) => code,
);
