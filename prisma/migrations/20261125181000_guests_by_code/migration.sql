-- Whether a guest came by a code; such guests store no lists.
ALTER TABLE "user" ADD COLUMN "invited" BOOLEAN NOT NULL DEFAULT false;
