-- An assignment counts its people, so that reading it costs the same however many they are, and so that one row bounds
-- their number.
ALTER TABLE "assignment" ADD COLUMN "started_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "assignment" ADD COLUMN "guest_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "assignment_person" ADD COLUMN "has_finished" BOOLEAN NOT NULL DEFAULT false;

UPDATE "assignment_person" p SET "has_finished" = true
 WHERE EXISTS (SELECT FROM "assignment_attempt" t
                WHERE t."assignment_id" = p."assignment_id" AND t."user_id" = p."user_id" AND t."finished_at" IS NOT NULL);
UPDATE "assignment" a
   SET "started_count" = counted."started", "guest_count" = counted."guests"
  FROM (SELECT "assignment_id", count(*) AS "started", count(*) FILTER (WHERE "is_guest") AS "guests"
          FROM "assignment_person" GROUP BY 1) AS counted
 WHERE a."id" = counted."assignment_id";

-- Those who have finished are counted by this index, since an answer must not wait for the one row of the assignment.
CREATE INDEX "assignment_person_assignment_id_idx" ON "assignment_person" ("assignment_id") WHERE "has_finished";

-- Each person changes the counts once. Free space in the pages leaves room for the row's next version.
ALTER TABLE "assignment" SET (fillfactor = 70);
