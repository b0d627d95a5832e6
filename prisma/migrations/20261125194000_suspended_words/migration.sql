-- A suspended word is not due until its user resumes it.
ALTER TABLE "learned_word" ADD COLUMN "suspended" BOOLEAN NOT NULL DEFAULT false;

-- With the column before the time, the words that are due are next to each other, however many are suspended.
CREATE INDEX "learned_word_deck_id_user_id_suspended_due_idx" ON "learned_word"("deck_id", "user_id", "suspended", "due") WHERE ("deck_id" IS NOT NULL);
CREATE INDEX "learned_word_list_id_user_id_suspended_due_idx" ON "learned_word"("list_id", "user_id", "suspended", "due") WHERE ("list_id" IS NOT NULL);
DROP INDEX "learned_word_deck_id_user_id_due_idx";
DROP INDEX "learned_word_list_id_user_id_due_idx";

-- The words of a deck are listed and searched in the order of their prompts' code points.
CREATE INDEX "term_deck_id_source_key_idx" ON "term"("deck_id", "source_key" COLLATE "C");
