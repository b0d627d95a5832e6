-- Users who play by a name alone, and their removal.
-- AlterTable
ALTER TABLE "user" ADD COLUMN     "is_anonymous" BOOLEAN DEFAULT false;

-- AlterTable
ALTER TABLE "user_deletion" ADD COLUMN     "keeps_name" BOOLEAN NOT NULL DEFAULT false;
