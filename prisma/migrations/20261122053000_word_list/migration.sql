-- Lists of words that people bring.
-- CreateTable
CREATE TABLE "word_list" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "owner_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "source_language" TEXT NOT NULL,
    "target_language" TEXT NOT NULL,
    "shared" BOOLEAN NOT NULL,
    "terms" JSONB NOT NULL,
    "term_count" INTEGER NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "word_list_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "word_list_owner_id_updated_at_idx" ON "word_list"("owner_id", "updated_at");

-- AddForeignKey
ALTER TABLE "word_list" ADD CONSTRAINT "word_list_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
