// Reads the runbook's pages and the commands in them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './manifests.ts';

const FOLDER = join(ROOT, 'k8s/runbook');

/** The pages by file name, without the index. */
export const pages = new Map(readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));

/** The text of the index and of all pages. */
export const runbook = [readFileSync(join(ROOT, 'k8s/README.md'), 'utf8'), ...pages.values()].join('\n');

/** @returns the file name of an alert's page: `quiz-api-down.md` for QuizApiDown */
export function pageOf(alert: string): string {
  return `${alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`;
}

/** @returns all inline code and all lines of shell blocks, each command on one line */
export function commands(): string[] {
  const blocks = [...runbook.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text = '']) =>
    text.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const quoted = [...runbook.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)];
  return [...blocks, ...quoted.map(([, text = '']) => text)].map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
