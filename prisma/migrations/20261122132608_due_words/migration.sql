-- A smart start reads the words of a user and deck in the order in which they become due, and no more than
-- it asks for. That costs each answer an entry in one of the two, and one in the table's key. On a large
-- table build both beforehand with CREATE INDEX CONCURRENTLY: then this creates nothing, and only drops.
-- CreateIndex
CREATE INDEX IF NOT EXISTS "learned_word_deck_id_user_id_due_idx" ON "learned_word"("deck_id", "user_id", "due") WHERE ("deck_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX IF NOT EXISTS "learned_word_list_id_user_id_due_idx" ON "learned_word"("list_id", "user_id", "due") WHERE ("list_id" IS NOT NULL);

-- DropIndex
DROP INDEX IF EXISTS "learned_word_deck_id_user_id_idx";

-- DropIndex
DROP INDEX IF EXISTS "learned_word_list_id_user_id_idx";
