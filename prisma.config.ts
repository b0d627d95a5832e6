// The Prisma CLI's settings. The service itself never runs the CLI: `npm run db:deploy` applies
// the migrations over the driver, see src/platform/postgres/migrations.ts.
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://localhost:5432/unset' },
});
