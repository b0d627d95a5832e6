-- The role that the service runs as: it reads and writes rows, and can neither change nor drop a table. The
-- tables belong to quiz_owner, which only migrates. For a superuser, once, in the database of the service;
-- before the first migration or after it. The password is for one machine: choose another elsewhere.
CREATE ROLE quiz LOGIN PASSWORD 'quiz';

-- What the service asks for on each connection, for those that PgBouncer opens: the server must give up
-- before the service does (src/platform/postgres.ts).
ALTER ROLE quiz SET statement_timeout = '1300ms';
ALTER ROLE quiz SET idle_in_transaction_session_timeout = '4s';

GRANT USAGE ON SCHEMA public TO quiz;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO quiz;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO quiz;
ALTER DEFAULT PRIVILEGES FOR ROLE quiz_owner IN SCHEMA public
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO quiz;
ALTER DEFAULT PRIVILEGES FOR ROLE quiz_owner IN SCHEMA public GRANT USAGE ON SEQUENCES TO quiz;
