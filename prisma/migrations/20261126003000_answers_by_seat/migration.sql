-- The rounds of a game name its players by their seats instead of by their ids, which were most of their bytes.
-- Stored games have the former format, which nothing reads any more.
TRUNCATE TABLE "game" CASCADE;
ALTER TABLE "game_score" ADD COLUMN "seat" INTEGER NOT NULL DEFAULT 0;
