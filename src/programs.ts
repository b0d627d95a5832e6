// The programs of the image, which build.ts compiles.

/** Their sources. A new program of the image is added here. */
export const PROGRAMS = [
  'src/server.ts',
  'worker/main.ts',
  'prisma/deploy.ts',
  'src/tools/import/cli.ts',
  'src/tools/operate/operate.ts',
  'src/tools/prove/main.ts',
  // list-checker.ts starts it in a thread.
  'src/vocabulary/lists/check-list.ts',
];
