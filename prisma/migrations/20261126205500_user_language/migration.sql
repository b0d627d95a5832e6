-- The language in which a user gets emails, and that of each sign-up.
ALTER TABLE "user" ADD COLUMN "language" TEXT;
ALTER TABLE "sign_up" ADD COLUMN "language" TEXT;
