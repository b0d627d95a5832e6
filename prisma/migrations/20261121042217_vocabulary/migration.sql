-- DropIndex
DROP INDEX "term_deck_id_source_key_target_key_key";

-- AlterTable
ALTER TABLE "deck" ADD COLUMN "term_count" INTEGER NOT NULL DEFAULT 0;

-- CreateIndex
CREATE UNIQUE INDEX "term_source_key_deck_id_target_key_key" ON "term"("source_key", "deck_id", "target_key");

-- Count what is there; from here on the importer keeps the number.
UPDATE "deck" SET "term_count" = (SELECT count(*) FROM "term" WHERE "term"."deck_id" = "deck"."id");
