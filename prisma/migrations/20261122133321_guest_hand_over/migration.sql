-- Whose a guest's answers are that were judged before the hand-over and are written after it.
-- CreateTable
CREATE TABLE "guest_hand_over" (
    "guest_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guest_hand_over_pkey" PRIMARY KEY ("guest_id")
);

-- CreateIndex
CREATE INDEX "guest_hand_over_account_id_idx" ON "guest_hand_over"("account_id");

-- AddForeignKey
ALTER TABLE "guest_hand_over" ADD CONSTRAINT "guest_hand_over_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
