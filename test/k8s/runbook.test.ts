// The commands of the runbook name existing objects.
import { expect, test } from 'vitest';
import { commands, readManifests, yamlFiles } from '../support/manifests.ts';

const KINDS: Record<string, string> = { deployment: 'Deployment', scaledobject: 'ScaledObject', cronjob: 'CronJob' };

const deployed = readManifests(
  yamlFiles().filter((file) => /^k8s\/(base|components\/(autoscaling|prove))\//.test(file)),
);
const typed = commands().filter((text) => /^(q|kubectl|logs|npm run prove) |^logs\(\)/.test(text));

test('commands name only objects that are deployed', () => {
  const named = typed.flatMap((text) => [...text.matchAll(/\b(deployment|scaledobject|cronjob)[/ ]([a-z]+)/g)]);
  expect(named.length).toBeGreaterThan(15);
  const unknown = named.filter(
    ([, kind = '', name]) => !deployed.some((object) => object.kind === KINDS[kind] && object.metadata.name === name),
  );
  expect(unknown.map(([text]) => text)).toEqual([]);
});

test('commands select pods by labels that the pods have', () => {
  const picked = typed.flatMap((text) => [...text.matchAll(/-l (app\.kubernetes\.io\/\w+)=([\w-]+)/g)]);
  expect(picked.length).toBeGreaterThan(4);
  const labels = JSON.stringify(deployed);
  const unknown = picked.filter(([, label, value]) => !labels.includes(`"${label}":"${value}"`));
  expect(unknown.map(([text]) => text)).toEqual([]);
});

test('commands that annotate objects can be repeated', () => {
  const annotating = typed.filter((text) => /annotate.*=/.test(text));
  expect(annotating.length).toBeGreaterThan(1);
  expect(annotating.filter((text) => !text.includes('--overwrite'))).toEqual([]);
});
