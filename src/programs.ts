// The programs of the image, which build.ts compiles.

/** Their sources. A new program of the image is added here. */
export const PROGRAMS = [
  'src/server.ts',
  'worker/main.ts',
  'prisma/deploy.ts',
  'src/vocabulary-import/cli.ts',
  'src/accounts/cli.ts',
  'src/inspect/cli.ts',
  'src/prove/main.ts',
  // list-checker.ts starts it in a thread.
  'src/vocabulary/lists/list-thread.ts',
];
