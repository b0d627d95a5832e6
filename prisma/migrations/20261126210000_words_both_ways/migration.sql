-- A list can be asked the other way round. Its words in that direction are words of their own.
ALTER TABLE "word_list" ADD COLUMN "source_keys" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
ADD COLUMN "source_terms" SMALLINT[] DEFAULT ARRAY[]::SMALLINT[];

ALTER TABLE "learned_word" ADD COLUMN "reverse" BOOLEAN NOT NULL DEFAULT false;
