-- Where terms come from, and what is kept of a deck: its sources, and how many questions it gives.
-- CreateTable
CREATE TABLE "source" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "licence" TEXT NOT NULL,

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "source_name_licence_key" ON "source"("name", "licence");

-- AlterTable
ALTER TABLE "term" ADD COLUMN     "source_id" INTEGER;

-- AlterTable
ALTER TABLE "deck" ADD COLUMN     "question_count" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "sources" JSONB NOT NULL DEFAULT '[]';

-- CreateIndex
CREATE INDEX "term_source_id_idx" ON "term"("source_id");

-- AddForeignKey
ALTER TABLE "term" ADD CONSTRAINT "term_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "source"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Count what is there; from here on the importer keeps the numbers.
UPDATE deck
   SET term_count = counted.terms, sources = counted.sources
  FROM (SELECT deck_id, sum(terms)::int AS terms,
               jsonb_agg(jsonb_build_object('name', coalesce(s.name, 'unknown'),
                                            'licence', coalesce(s.licence, 'unknown'),
                                            'terms', terms)
                         ORDER BY terms DESC, s.name) AS sources
          FROM (SELECT deck_id, source_id, count(*) AS terms
                  FROM term GROUP BY deck_id, source_id) AS by_source
          LEFT JOIN source s ON s.id = source_id
         GROUP BY deck_id) AS counted
 WHERE deck.id = counted.deck_id;

WITH counted AS (
  SELECT d.id, d.source_language, d.target_language
    FROM deck d
), answers AS (
  SELECT deck_id, count(DISTINCT target_key) AS answers
    FROM term WHERE deck_id IN (SELECT id FROM counted) GROUP BY deck_id
), crowded AS (
  SELECT source_language, target_language, source_key
    FROM term JOIN counted ON counted.id = term.deck_id
   GROUP BY source_language, target_language, source_key HAVING count(*) > 27
), word AS (
  SELECT DISTINCT deck_id, source_key, lower(coalesce(source_gloss, '')) AS gloss
    FROM term WHERE deck_id IN (SELECT id FROM counted)
), askable AS (
  SELECT word.deck_id, count(*)::int AS questions
    FROM word
    JOIN answers USING (deck_id)
    JOIN counted ON counted.id = word.deck_id
    LEFT JOIN crowded USING (source_language, target_language, source_key)
   WHERE CASE WHEN answers.answers > 30 AND crowded.source_key IS NULL THEN true
         ELSE answers.answers >= 3 + (
           SELECT count(DISTINCT accepted.target_key)
             FROM term accepted
            WHERE accepted.source_key = word.source_key
              AND accepted.deck_id IN (
                    SELECT id FROM counted AS beside
                     WHERE beside.source_language = counted.source_language
                       AND beside.target_language = counted.target_language)
              AND EXISTS (SELECT 1 FROM term own
                           WHERE own.deck_id = word.deck_id
                             AND own.target_key = accepted.target_key))
         END
   GROUP BY word.deck_id
)
UPDATE deck
   SET question_count = coalesce(askable.questions, 0)
  FROM counted LEFT JOIN askable ON askable.deck_id = counted.id
 WHERE deck.id = counted.id;
