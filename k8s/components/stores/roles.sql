-- The role that the service runs as: it reads and writes rows, and can neither change nor drop a table. The
-- tables belong to quiz_owner, which only migrates. A superuser runs this file once in the database of the
-- service, before or after the first migration. The password is only for a local machine: choose another one
-- elsewhere.
CREATE ROLE quiz LOGIN PASSWORD 'quiz';

-- PgBouncer does not pass on the timeouts that the service sets for its connections, so that the role has
-- them too. The server must give up before the service does (src/platform/postgres/postgres.ts).
ALTER ROLE quiz SET statement_timeout = '1300ms';
ALTER ROLE quiz SET idle_in_transaction_session_timeout = '4s';

GRANT USAGE ON SCHEMA public TO quiz;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO quiz;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO quiz;
ALTER DEFAULT PRIVILEGES FOR ROLE quiz_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO quiz;
ALTER DEFAULT PRIVILEGES FOR ROLE quiz_owner IN SCHEMA public GRANT USAGE ON SEQUENCES TO quiz;
