// Compiles the programs of the image into dist/service: `node src/build.ts`. Each source becomes a file in the same
// folder, and each package one file in packages/ with the code that is reachable. A process that strips types itself
// and loads node_modules needs 40 MB more memory and twice the CPU time to start. Stack traces need readable code.
import { cpSync, rmSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The sources of the image's programs. A new one is added here. */
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

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TARGET = resolve(process.argv[2] ?? join(ROOT, 'dist/service'));

const withoutSuffix = (path: string) => path.replace(/\.ts$/, '');

/** @returns the path of the file that a module becomes a part of, without suffix; null for a file of its own */
function fileOf(module: string): string | null {
  // Prisma's query compiler stays alone, since one special character elsewhere in the file would double its memory.
  if (PROGRAMS.includes(relative(ROOT, module)) || module.includes('wasm-base64')) return null;
  const packageName = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
  if (packageName) return `packages/${packageName}`;
  return module.startsWith(ROOT) ? withoutSuffix(relative(ROOT, module)) : null;
}

if (import.meta.main) await build();

async function build(): Promise<void> {
  rmSync(TARGET, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    // Bull Board reads files of its packages.
    external: [/^@bull-board\//],
    input: Object.fromEntries(PROGRAMS.map((program) => [withoutSuffix(program), program])),
    preserveEntrySignatures: 'allow-extension',
  });
  await bundle.write({
    dir: TARGET,
    entryFileNames: '[name].js',
    // Parts of packages that are loaded on demand have no folder in their names.
    chunkFileNames: ({ name }) => (name.includes('/') ? '[name].js' : 'packages/[name].js'),
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ debugName: 'files', name: fileOf }] },
    comments: false,
  });
  await bundle.close();

  // The programs read Lua scripts, migrations, words and pages of the documents at run time.
  const filter = (file: string) => !/\.tsx?$|\/src\/web$/.test(file);
  for (const path of ['package.json', 'src', 'prisma'])
    cpSync(join(ROOT, path), join(TARGET, path), { recursive: true, filter });
}
