-- A deck is asked by its topics, and of a prompt's translations one is preferred. The next load of the built-in
-- vocabulary stores both, since the sources' digests are cleared.
ALTER TABLE "deck" ADD COLUMN "topics" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "term" ADD COLUMN "alternative" BOOLEAN;
CREATE INDEX "term_deck_id_field_draw_idx" ON "term"("deck_id", "field", "draw") WHERE ("field" IS NOT NULL);
UPDATE "source" SET "digest" = NULL;
