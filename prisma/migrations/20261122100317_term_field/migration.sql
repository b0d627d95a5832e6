-- What a term is about, for wrong options of the same field.
-- AlterTable
ALTER TABLE "term" ADD COLUMN     "field" TEXT;
