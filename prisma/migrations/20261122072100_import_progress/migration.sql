-- How far imports have come that were interrupted.
-- CreateTable
CREATE TABLE "import_progress" (
    "file" TEXT NOT NULL,
    "records" INTEGER NOT NULL,
    "deck_ids" INTEGER[],

    CONSTRAINT "import_progress_pkey" PRIMARY KEY ("file")
);
