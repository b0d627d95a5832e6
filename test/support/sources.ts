// Lists the files of this project, and reads them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** @returns the files in a folder whose names match, relative to the project and sorted, without those that are made */
export function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !/generated|node_modules|(^|\/)dist\//.test(file))
    .sort();
}

/** @param file relative to the project */
export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
