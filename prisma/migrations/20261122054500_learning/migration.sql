-- What the service knows of each learner and word, how often somebody answered, and how far the
-- queues of judged answers are written.
-- CreateTable
CREATE TABLE "learned_word" (
    "user_id" UUID NOT NULL,
    "word" UUID NOT NULL,
    "deck_id" INTEGER,
    "list_id" UUID,
    "source_key" TEXT NOT NULL,
    "gloss" TEXT,
    "due" TIMESTAMPTZ(3) NOT NULL,
    "stability" DOUBLE PRECISION NOT NULL,
    "difficulty" DOUBLE PRECISION NOT NULL,
    "state" SMALLINT NOT NULL,
    "step" SMALLINT NOT NULL,
    "scheduled_days" INTEGER NOT NULL,
    "reps" INTEGER NOT NULL,
    "lapses" INTEGER NOT NULL,
    "reviewed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "learned_word_pkey" PRIMARY KEY ("user_id","word")
);

-- AlterTable
ALTER TABLE "word_list" ADD COLUMN     "question_count" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "review_count" (
    "user_id" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "reviews" INTEGER NOT NULL,

    CONSTRAINT "review_count_pkey" PRIMARY KEY ("user_id","quarter")
);

-- CreateTable
CREATE TABLE "judged_position" (
    "queue" INTEGER NOT NULL,
    "position" TEXT NOT NULL,

    CONSTRAINT "judged_position_pkey" PRIMARY KEY ("queue")
);

-- CreateIndex
CREATE INDEX "learned_word_user_id_deck_id_due_idx" ON "learned_word"("user_id", "deck_id", "due");

-- CreateIndex
CREATE INDEX "learned_word_user_id_list_id_due_idx" ON "learned_word"("user_id", "list_id", "due");

-- CreateIndex
CREATE INDEX "learned_word_list_id_idx" ON "learned_word"("list_id");

-- CreateIndex
CREATE INDEX "learned_word_deck_id_idx" ON "learned_word"("deck_id");

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_deck_id_fkey" FOREIGN KEY ("deck_id") REFERENCES "deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "word_list"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_count" ADD CONSTRAINT "review_count_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
