// Identifies the terms that a load would store, without reading them.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** The lists, and the code that reads, normalises and writes their words. src itself has text.ts. */
const FOLDERS = ['../../../prisma/vocabulary', '../..', '../../judging', '../../vocabulary', '.'].map(pathOf);

export async function digestBuiltIn(): Promise<string> {
  return digestOf(await listBuiltInFiles());
}

/** @returns the paths of the lists, the code, and the versions of the libraries */
export async function listBuiltInFiles(): Promise<string[]> {
  return [...(await listFiles(FOLDERS)), pathOf('../../../package.json')];
}

/** @returns the paths of lists and code in the folders, sorted; subfolders are left out */
export async function listFiles(folders: string[]): Promise<string[]> {
  const files = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).sort().map((name) => join(folder, name))),
  );
  return files.flat().filter((file) => /\.(csv|[jt]s)$/.test(file));
}

/** @returns a digest of the files, and of the version of Unicode, since it decides how words are folded */
export async function digestOf(files: string[]): Promise<string> {
  const hash = createHash('sha256').update(process.versions.unicode ?? '');
  for (const file of files) {
    const content = await readFile(file);
    // The length separates a file's content from the next file's name.
    hash.update(`\n${basename(file)} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url');
}
