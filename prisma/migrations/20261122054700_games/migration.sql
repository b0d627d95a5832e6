-- What finds the games that somebody has played or presented.
-- CreateIndex
CREATE INDEX "game_score_user_id_idx" ON "game_score"("user_id");

-- CreateIndex
CREATE INDEX "game_presenter_id_idx" ON "game"("presenter_id");
