// The runbook as tests read it: what it tells people to type.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './manifests.ts';

export const runbook = readFileSync(join(ROOT, 'k8s/README.md'), 'utf8');

/** @returns every command of it, whether it stands in a line or in a block, on one line each */
export function commands(): string[] {
  const blocks = [...runbook.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text = '']) =>
    text.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const quoted = [...runbook.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)];
  return [...blocks, ...quoted.map(([, text = '']) => text)].map((text) =>
    text.replaceAll(/\s+/g, ' ').trim(),
  );
}
