-- What a host can do: the lock, who presented, who was removed for good; and a game's judged rounds.
-- AlterTable
ALTER TABLE "game" ADD COLUMN     "presenter_id" UUID,
ADD COLUMN     "rounds" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "lobby" ADD COLUMN     "kicked_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "locked" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "presenter_id" UUID;

-- Up to 200 players. Wider than before: what was allowed stays so.
ALTER TABLE "lobby" DROP CONSTRAINT "lobby_capacity",
ADD CONSTRAINT "lobby_capacity" CHECK ("capacity" BETWEEN 2 AND 200 AND "player_count" BETWEEN 0 AND "capacity");
