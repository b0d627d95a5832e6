-- A term has the id of its word, by which it is the same word as in the memory of learners. Until now two glosses were
-- compared by lower(), which differs from the service's case folding for ß and İ. The next load of the vocabulary writes
-- the exact ids, since the sources' digests are cleared.
ALTER TABLE "term" ADD COLUMN "word" UUID;
UPDATE "term" t
   SET "word" = left(encode(sha256(convert_to(concat_ws(E'\n', concat_ws(' ', d."source_language", d."target_language",
         d."pos", d."difficulty"), t."source_key", lower(coalesce(t."source_gloss", ''))), 'UTF8')), 'hex'), 32)::uuid
  FROM "deck" d WHERE d."id" = t."deck_id";
UPDATE "source" SET "digest" = NULL;
