-- Homework: assignments, the people who have begun them, and their attempts.

-- CreateTable
CREATE TABLE "assignment" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "code" CHAR(8) NOT NULL,
    "owner_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "words" JSONB NOT NULL,
    "questions" JSONB NOT NULL,
    "question_count" INTEGER NOT NULL,
    "answer_mode" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "opens_at" TIMESTAMPTZ(3) NOT NULL,
    "closes_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assignment_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assignment_person" (
    "assignment_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "is_guest" BOOLEAN NOT NULL,

    CONSTRAINT "assignment_person_pkey" PRIMARY KEY ("assignment_id","user_id")
);

-- CreateTable
CREATE TABLE "assignment_attempt" (
    "id" UUID NOT NULL,
    "assignment_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "number" SMALLINT NOT NULL,
    "secret" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMPTZ(3),
    "answers" JSONB NOT NULL DEFAULT '[]',
    "answered" SMALLINT NOT NULL DEFAULT 0,
    "correct" SMALLINT NOT NULL DEFAULT 0,
    "learned" SMALLINT NOT NULL DEFAULT 0,
    "unlearned_since" TIMESTAMPTZ(3),

    CONSTRAINT "assignment_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "assignment_code_key" ON "assignment"("code");

-- CreateIndex
CREATE INDEX "assignment_owner_id_created_at_id_idx" ON "assignment"("owner_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "assignment_person_assignment_id_name_user_id_idx" ON "assignment_person"("assignment_id", "name", "user_id");

-- CreateIndex
CREATE INDEX "assignment_person_user_id_idx" ON "assignment_person"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "assignment_attempt_assignment_id_user_id_number_key" ON "assignment_attempt"("assignment_id", "user_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "assignment_attempt_open_key" ON "assignment_attempt"("assignment_id", "user_id") WHERE ("finished_at" IS NULL);

-- CreateIndex
CREATE INDEX "assignment_attempt_unlearned_since_idx" ON "assignment_attempt"("unlearned_since") WHERE (unlearned_since IS NOT NULL);

-- AddForeignKey
ALTER TABLE "assignment" ADD CONSTRAINT "assignment_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assignment_person" ADD CONSTRAINT "assignment_person_assignment_id_fkey" FOREIGN KEY ("assignment_id") REFERENCES "assignment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "assignment_attempt" ADD CONSTRAINT "assignment_attempt_assignment_id_fkey" FOREIGN KEY ("assignment_id") REFERENCES "assignment"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Each answer updates an attempt. Free space in the pages leaves room for the row's next version.
ALTER TABLE "assignment_attempt" SET (fillfactor = 70);
