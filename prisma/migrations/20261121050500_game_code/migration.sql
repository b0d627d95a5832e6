-- For `npm run inspect`, which finds results by their lobby's code.
-- CreateIndex
CREATE INDEX "game_code_idx" ON "game"("code");
