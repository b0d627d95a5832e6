-- Passwords that wait for the confirmation of their address, and what finds them, the links of a
-- user, and the accounts that nobody has confirmed.
-- CreateTable
CREATE TABLE "sign_up" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "image" TEXT,
    "password" TEXT NOT NULL,
    "browser_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_up_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "sign_up_user_id_password_key" ON "sign_up"("user_id", "password");

-- CreateIndex
CREATE INDEX "sign_up_created_at_idx" ON "sign_up"("created_at");

-- CreateIndex
CREATE INDEX "user_email_verified_created_at_idx" ON "user"("email_verified", "created_at");

-- CreateIndex
CREATE INDEX "verification_value_idx" ON "verification" USING HASH ("value");

-- AddForeignKey
ALTER TABLE "sign_up" ADD CONSTRAINT "sign_up_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
