-- The name of a player in one lobby alone, where it may differ from the user's.
ALTER TABLE "lobby_player" ADD COLUMN "name" TEXT;

-- The names that a lobby has, so that no two of them are the same.
CREATE TABLE "lobby_name" (
    "lobby_id" UUID NOT NULL,
    "name_key" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "last_number" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "lobby_name_pkey" PRIMARY KEY ("lobby_id","name_key")
);

-- A user keeps the name that it has had in a lobby.
CREATE UNIQUE INDEX "lobby_name_user_id_lobby_id_key" ON "lobby_name"("user_id", "lobby_id");

ALTER TABLE "lobby_name" ADD CONSTRAINT "lobby_name_lobby_id_fkey" FOREIGN KEY ("lobby_id") REFERENCES "lobby"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "lobby_name" ADD CONSTRAINT "lobby_name_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
