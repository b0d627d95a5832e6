-- An answer changes when its word is due: no index holds that any more, and pages keep room for the row's
-- next version, so that an answer to a word that was answered before writes no index at all.
-- CreateIndex
CREATE INDEX IF NOT EXISTS "learned_word_deck_id_user_id_idx" ON "learned_word"("deck_id", "user_id");

-- CreateIndex
CREATE INDEX IF NOT EXISTS "learned_word_list_id_user_id_idx" ON "learned_word"("list_id", "user_id");

-- DropIndex
DROP INDEX IF EXISTS "learned_word_deck_id_idx";

-- DropIndex
DROP INDEX IF EXISTS "learned_word_list_id_idx";

-- DropIndex
DROP INDEX IF EXISTS "learned_word_user_id_deck_id_due_idx";

-- DropIndex
DROP INDEX IF EXISTS "learned_word_user_id_list_id_due_idx";

ALTER TABLE "learned_word" SET (fillfactor = 70);
