-- CreateTable
CREATE TABLE "user_deletion" (
    "user_id" UUID NOT NULL,
    "lobby_ids" UUID[],
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_deletion_pkey" PRIMARY KEY ("user_id")
);

-- What is no longer taken: pictures that are read with every request, and identity tokens in clear.
UPDATE "user" SET "image" = NULL WHERE length("image") > 500 OR "image" NOT LIKE 'https://%';
UPDATE "account" SET "id_token" = NULL WHERE "id_token" IS NOT NULL;
