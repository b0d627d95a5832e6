-- Whether a typed answer is another prompt's translation is looked up by the hashes of translations, and no longer by
-- those of everything that is close to them, which were most of the table. No process reads the former keys any more.
-- The next load of the built-in vocabulary writes the new ones, since the sources' digests are cleared.
ALTER TABLE "term" DROP COLUMN "near_keys";
ALTER TABLE "term" ADD COLUMN "translation_keys" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
CREATE INDEX "term_translation_keys_idx" ON "term" USING GIN ("translation_keys");
UPDATE "source" SET "digest" = NULL;
ALTER TABLE "word_list" ADD COLUMN "translation_keys" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
ALTER TABLE "word_list" ADD COLUMN "translation_terms" SMALLINT[] DEFAULT ARRAY[]::SMALLINT[];
