-- All tables, as prisma/schema.prisma describes them. What Prisma's schema language cannot say stands at the end.

-- CreateEnum
CREATE TYPE "lobby_status" AS ENUM ('waiting', 'running', 'finished');

-- CreateTable
CREATE TABLE "user" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_anonymous" BOOLEAN DEFAULT false,
    "two_factor_enabled" BOOLEAN DEFAULT false,

    CONSTRAINT "user_pkey" PRIMARY KEY ("id")
);

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

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" UUID NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" UUID NOT NULL,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verification" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "two_factor" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,
    "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
    "locked_until" TIMESTAMPTZ(3),
    "user_id" UUID NOT NULL,

    CONSTRAINT "two_factor_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "passkey" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT,
    "public_key" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "credential_id" TEXT NOT NULL,
    "counter" INTEGER NOT NULL,
    "device_type" TEXT NOT NULL,
    "backed_up" BOOLEAN NOT NULL,
    "transports" TEXT,
    "created_at" TIMESTAMPTZ(3) DEFAULT CURRENT_TIMESTAMP,
    "aaguid" TEXT,

    CONSTRAINT "passkey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_deletion" (
    "user_id" UUID NOT NULL,
    "lobby_ids" UUID[],
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "keeps_name" BOOLEAN NOT NULL DEFAULT false,
    "attempted_at" TIMESTAMPTZ(3),

    CONSTRAINT "user_deletion_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "deck" (
    "id" SERIAL NOT NULL,
    "source_language" TEXT NOT NULL,
    "target_language" TEXT NOT NULL,
    "pos" TEXT NOT NULL,
    "difficulty" TEXT NOT NULL,
    "term_count" INTEGER NOT NULL DEFAULT 0,
    "question_count" INTEGER NOT NULL DEFAULT 0,
    "sources" JSONB NOT NULL DEFAULT '[]',

    CONSTRAINT "deck_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "term" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "deck_id" INTEGER NOT NULL,
    "source_text" TEXT NOT NULL,
    "target_text" TEXT NOT NULL,
    "source_gloss" TEXT,
    "source_key" TEXT NOT NULL,
    "target_key" TEXT NOT NULL,
    "field" TEXT,
    "near_keys" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "draw" DOUBLE PRECISION NOT NULL DEFAULT random(),
    "source_id" INTEGER NOT NULL,

    CONSTRAINT "term_pkey" PRIMARY KEY ("id")
);

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
    "prompt_count" INTEGER NOT NULL DEFAULT 0,
    "question_count" INTEGER NOT NULL DEFAULT 0,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "word_list_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "source" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "licence" TEXT NOT NULL,
    "digest" TEXT,

    CONSTRAINT "source_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "learned_word" (
    "user_id" UUID NOT NULL,
    "word" UUID NOT NULL,
    "deck_id" INTEGER,
    "list_id" UUID,
    "source_key" TEXT NOT NULL,
    "gloss" TEXT,
    "due" TIMESTAMPTZ(3) NOT NULL,
    "stability" DOUBLE PRECISION NOT NULL,
    "difficulty" DOUBLE PRECISION NOT NULL,
    "state" SMALLINT NOT NULL,
    "step" SMALLINT NOT NULL,
    "scheduled_days" INTEGER NOT NULL,
    "reps" INTEGER NOT NULL,
    "lapses" INTEGER NOT NULL,
    "reviewed_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "learned_word_pkey" PRIMARY KEY ("user_id","word")
);

-- CreateTable
CREATE TABLE "review_count" (
    "user_id" UUID NOT NULL,
    "quarter" TIMESTAMPTZ(3) NOT NULL,
    "reviews" INTEGER NOT NULL,

    CONSTRAINT "review_count_pkey" PRIMARY KEY ("user_id","quarter")
);

-- CreateTable
CREATE TABLE "guest_hand_over" (
    "guest_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "guest_hand_over_pkey" PRIMARY KEY ("guest_id")
);

-- CreateTable
CREATE TABLE "learned_quiz" (
    "session_id" UUID NOT NULL,
    "answers" INTEGER NOT NULL,
    "learned_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "learned_quiz_pkey" PRIMARY KEY ("session_id")
);

-- CreateTable
CREATE TABLE "import_progress" (
    "file" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "deck_ids" INTEGER[],

    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("file")
);

-- CreateTable
CREATE TABLE "lobby" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "code" CHAR(6) NOT NULL,
    "host_id" UUID NOT NULL,
    "status" "lobby_status" NOT NULL DEFAULT 'waiting',
    "capacity" INTEGER NOT NULL,
    "player_count" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "game_id" UUID,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "active_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "locked" BOOLEAN NOT NULL DEFAULT false,
    "kicked_ids" UUID[] DEFAULT ARRAY[]::UUID[],
    "presenter_id" UUID,

    CONSTRAINT "lobby_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lobby_player" (
    "lobby_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "seat" SERIAL NOT NULL,

    CONSTRAINT "lobby_player_pkey" PRIMARY KEY ("lobby_id","user_id")
);

-- CreateTable
CREATE TABLE "game" (
    "id" UUID NOT NULL,
    "code" CHAR(6) NOT NULL,
    "settings" JSONB NOT NULL,
    "winner_ids" UUID[],
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,
    "presenter_id" UUID,
    "compact" BOOLEAN NOT NULL DEFAULT false,
    "host_id" UUID,
    "rounds" JSONB NOT NULL DEFAULT '[]',
    "learned_rounds" INTEGER NOT NULL DEFAULT 0,
    "learned" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "game_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "game_score" (
    "game_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "score" INTEGER NOT NULL,
    "correct" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "game_score_pkey" PRIMARY KEY ("game_id","user_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

-- CreateIndex
CREATE INDEX "user_email_verified_created_at_idx" ON "user"("email_verified", "created_at");

-- CreateIndex
CREATE INDEX "sign_up_created_at_idx" ON "sign_up"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sign_up_user_id_password_key" ON "sign_up"("user_id", "password");

-- CreateIndex
CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

-- CreateIndex
CREATE INDEX "session_user_id_idx" ON "session"("user_id");

-- CreateIndex
CREATE INDEX "session_expires_at_idx" ON "session"("expires_at");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_provider_id_account_id_key" ON "account"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

-- CreateIndex
CREATE INDEX "verification_value_idx" ON "verification" USING HASH ("value");

-- CreateIndex
CREATE INDEX "verification_expires_at_idx" ON "verification"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "two_factor_user_id_key" ON "two_factor"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "passkey_credential_id_key" ON "passkey"("credential_id");

-- CreateIndex
CREATE INDEX "passkey_user_id_idx" ON "passkey"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "deck_source_language_target_language_pos_difficulty_key" ON "deck"("source_language", "target_language", "pos", "difficulty");

-- CreateIndex
CREATE INDEX "term_deck_id_draw_idx" ON "term"("deck_id", "draw");

-- CreateIndex
CREATE INDEX "term_source_id_idx" ON "term"("source_id");

-- CreateIndex
CREATE INDEX "term_near_keys_idx" ON "term" USING GIN ("near_keys");

-- CreateIndex
CREATE UNIQUE INDEX "term_source_key_deck_id_target_key_key" ON "term"("source_key", "deck_id", "target_key");

-- CreateIndex
CREATE INDEX "word_list_owner_id_updated_at_idx" ON "word_list"("owner_id", "updated_at");

-- CreateIndex
CREATE UNIQUE INDEX "source_name_licence_key" ON "source"("name", "licence");

-- CreateIndex
CREATE INDEX "learned_word_deck_id_user_id_due_idx" ON "learned_word"("deck_id", "user_id", "due") WHERE ("deck_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "learned_word_list_id_user_id_due_idx" ON "learned_word"("list_id", "user_id", "due") WHERE ("list_id" IS NOT NULL);

-- CreateIndex
CREATE INDEX "guest_hand_over_account_id_idx" ON "guest_hand_over"("account_id");

-- CreateIndex
CREATE INDEX "learned_quiz_learned_at_idx" ON "learned_quiz"("learned_at");

-- CreateIndex
CREATE UNIQUE INDEX "lobby_code_key" ON "lobby"("code");

-- CreateIndex
CREATE INDEX "lobby_status_active_at_idx" ON "lobby"("status", "active_at");

-- CreateIndex
CREATE INDEX "lobby_host_id_idx" ON "lobby"("host_id");

-- CreateIndex
CREATE INDEX "lobby_kicked_ids_idx" ON "lobby" USING GIN ("kicked_ids") WHERE (kicked_ids <> '{}');

-- CreateIndex
CREATE INDEX "lobby_player_user_id_idx" ON "lobby_player"("user_id");

-- CreateIndex
CREATE INDEX "game_code_idx" ON "game"("code");

-- CreateIndex
CREATE INDEX "game_presenter_id_idx" ON "game"("presenter_id");

-- CreateIndex
CREATE INDEX "game_host_id_idx" ON "game"("host_id");

-- CreateIndex
CREATE INDEX "game_finished_at_idx" ON "game"("finished_at") WHERE ("learned" = false);

-- CreateIndex
CREATE INDEX "game_score_user_id_idx" ON "game_score"("user_id");

-- AddForeignKey
ALTER TABLE "sign_up" ADD CONSTRAINT "sign_up_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factor" ADD CONSTRAINT "two_factor_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "term" ADD CONSTRAINT "term_deck_id_fkey" FOREIGN KEY ("deck_id") REFERENCES "deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "term" ADD CONSTRAINT "term_source_id_fkey" FOREIGN KEY ("source_id") REFERENCES "source"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "word_list" ADD CONSTRAINT "word_list_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_deck_id_fkey" FOREIGN KEY ("deck_id") REFERENCES "deck"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "learned_word" ADD CONSTRAINT "learned_word_list_id_fkey" FOREIGN KEY ("list_id") REFERENCES "word_list"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "review_count" ADD CONSTRAINT "review_count_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "guest_hand_over" ADD CONSTRAINT "guest_hand_over_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lobby" ADD CONSTRAINT "lobby_host_id_fkey" FOREIGN KEY ("host_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lobby_player" ADD CONSTRAINT "lobby_player_lobby_id_fkey" FOREIGN KEY ("lobby_id") REFERENCES "lobby"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "lobby_player" ADD CONSTRAINT "lobby_player_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "game_score" ADD CONSTRAINT "game_score_game_id_fkey" FOREIGN KEY ("game_id") REFERENCES "game"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The constraint limits a lobby's players to its capacity under any concurrency.
ALTER TABLE "lobby" ADD CONSTRAINT "lobby_capacity" CHECK ("capacity" BETWEEN 2 AND 1000 AND "player_count" BETWEEN 0 AND "capacity");

-- Each answer updates a learned word. Free space in the pages leaves room for the row's next version.
ALTER TABLE "learned_word" SET (fillfactor = 70);
