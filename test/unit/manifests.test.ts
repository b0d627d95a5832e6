// The files under k8s/, without a cluster and without kubectl: `npm run test:ops` looks at what
// kustomize makes of them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_VARIABLES } from '../../src/config/variables.ts';
import {
  type Manifest,
  nameOf,
  parseManifests,
  podOf,
  policyFaults,
  ROOT,
  readManifests,
  schemaFaults,
  yamlFiles,
} from '../support/manifests.ts';

interface Kustomization {
  resources?: string[];
  components?: string[];
  patches?: { path?: string }[];
  configMapGenerator?: { name: string; literals?: string[]; files?: string[] }[];
  secretGenerator?: { name: string; literals?: string[] }[];
}

const files = yamlFiles();
const manifests = readManifests();
const kustomizations = files
  .filter((file) => file.endsWith('/kustomization.yaml'))
  .map((file) => ({ file, ...(parse(readFileSync(join(ROOT, file), 'utf8')) as Kustomization) }));

function find(name: string): Manifest {
  const manifest = manifests.find((candidate) => nameOf(candidate) === name);
  if (!manifest) throw new Error(`There is no ${name}.`);
  return manifest;
}

test('every object is as its schema says, without a field that does not exist', async () => {
  expect(manifests.length).toBeGreaterThan(20);
  expect(await schemaFaults(manifests)).toEqual([]);
});

test('every workload runs without root, rights, or a writable image, within limits, and is probed', () => {
  expect(manifests.filter(podOf).map(nameOf)).toEqual(
    expect.arrayContaining(['Deployment/api', 'Deployment/worker', 'Job/migrate']),
  );
  expect(policyFaults(manifests)).toEqual([]);
});

describe('these checks notice', () => {
  const bad = parseManifests(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: bad }
spec:
  replicas: "two"
  selector: { matchLabels: { app: bad } }
  template:
    spec:
      hostNetwork: true
      containers:
        - name: bad
          imag: bad
          image: bad:latest
          env: [{ name: A_SECRET, value: open }]
`);

  test('a wrong type, and a field that does not exist', async () => {
    const faults = await schemaFaults(bad);
    expect(faults).toContainEqual(expect.stringMatching(/^Deployment\/bad: .*replicas.* integer/));
    expect(faults).toContainEqual(expect.stringMatching(/^Deployment\/bad: .*'"imag"'/));
  });

  test('a kind that does not exist', async () => {
    const [manifest] = bad;
    const unknown = { ...(manifest as Manifest), kind: 'Deploymnt' };
    expect(await schemaFaults([unknown])).not.toEqual([]);
  });

  test('everything that the policy forbids', () => {
    expect(policyFaults(bad)).toEqual(
      [
        'may run as root',
        'has no seccomp profile',
        'gets a token of Kubernetes',
        'shares a namespace of its node',
        'bad has an image without a version',
        'bad may gain privileges',
        'bad may write into its image',
        'bad keeps capabilities',
        'bad requests no resources',
        'bad has no limits',
        'bad has a secret in its manifest',
        'bad has no startup probe',
        'bad has no readiness probe',
        'bad has no liveness probe',
        'lets a rollout take a replica away first',
        'is not spread over zones',
        'is not spread over nodes',
      ].map((fault) => `Deployment/bad: ${fault}`),
    );
  });
});

describe('kustomizations', () => {
  test('name files that exist, and every file is named', () => {
    const named = kustomizations.flatMap(({ file, resources, components, patches }) =>
      [
        ...(resources ?? []),
        ...(components ?? []),
        ...(patches ?? []).flatMap(({ path }) => path ?? []),
      ].map((path) => {
        const target = resolve(ROOT, dirname(file), path);
        if (!existsSync(target)) throw new Error(`${file} names ${path}, which does not exist.`);
        const isFolder = statSync(target).isDirectory();
        return relative(ROOT, isFolder ? join(target, 'kustomization.yaml') : target);
      }),
    );
    // Overlays, and what each of them may choose.
    const roots = kustomizations
      .map(({ file }) => file)
      .filter((file) => /^k8s\/(overlays|components\/(dns|ingress|pgbouncer))\//.test(file));
    expect([...new Set([...named, ...roots])].sort()).toEqual(files);
    for (const { file, configMapGenerator } of kustomizations)
      for (const entry of configMapGenerator?.flatMap((generator) => generator.files ?? []) ?? [])
        expect(existsSync(join(ROOT, posix.dirname(file), entry.split('=').at(-1) ?? ''))).toBe(
          true,
        );
  });

  test('set only variables that the service knows', () => {
    const set = kustomizations.flatMap(({ configMapGenerator = [], secretGenerator = [] }) =>
      [...configMapGenerator, ...secretGenerator]
        .filter(({ name }) => name.startsWith('quiz'))
        .flatMap(({ literals = [] }) => literals.map((literal) => literal.split('=', 1)[0] ?? '')),
    );
    expect(set.length).toBeGreaterThan(8);
    expect(set.filter((name) => !CONFIG_VARIABLES.includes(name))).toEqual([]);
  });

  test('outside the overlay for one machine no Secret is made', () => {
    const makers = kustomizations.filter(({ secretGenerator }) => secretGenerator);
    expect(makers.map(({ file }) => file)).toEqual(['k8s/overlays/local/kustomization.yaml']);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

describe('a replica that is stopped', () => {
  const deadline = /STOP_DEADLINE_MS = ([\d_]+)/.exec(
    readFileSync(join(ROOT, 'src/platform/signals.ts'), 'utf8'),
  );
  const drainSeconds = Number(deadline?.[1]?.replaceAll('_', '')) / 1000;

  test('takes requests for some seconds more, then has longer than its drain', () => {
    const pod = podOf(find('Deployment/api'));
    const [command, seconds] = pod?.containers[0]?.lifecycle?.preStop?.exec?.command ?? [];
    expect(command).toBe('sleep');
    expect(Number(seconds)).toBeGreaterThanOrEqual(5);
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + drainSeconds + 5);
  });

  test('so has a worker', () => {
    const pod = podOf(find('Deployment/worker'));
    expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 5);
  });

  test('and one of compose', () => {
    const compose = parse(readFileSync(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true });
    for (const name of ['api', 'worker'])
      expect(Number.parseInt(compose.services[name].stop_grace_period, 10)).toBeGreaterThan(
        drainSeconds,
      );
  });
});

test('a store that is away takes no replica out, but keeps a new one from counting', () => {
  const [api] = podOf(find('Deployment/api'))?.containers ?? [];
  expect(api?.startupProbe?.httpGet?.path).toBe('/api/health/ready');
  expect(api?.readinessProbe?.httpGet?.path).toBe('/api/health/ready');
  expect(api?.livenessProbe?.httpGet?.path).toBe('/api/health/live');
});

test('no process of a new version starts before its migrations are applied', () => {
  for (const name of ['Deployment/api', 'Deployment/worker'])
    expect(podOf(find(name))?.initContainers?.[0]?.command).toEqual([
      'node',
      'prisma/deploy.ts',
      '--wait',
    ]);
  expect(podOf(find('Job/migrate'))?.initContainers?.[0]?.command).toEqual([
    'node',
    'prisma/deploy.ts',
  ]);
});

test('commands name files that exist', () => {
  const programs = manifests
    .flatMap((manifest) => {
      const pod = podOf(manifest);
      return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
    })
    .flatMap(({ command }) => (command?.[0] === 'node' ? [command[1] ?? ''] : []));
  expect(programs.length).toBeGreaterThanOrEqual(5);
  expect(programs.filter((program) => !existsSync(join(ROOT, program)))).toEqual([]);
});
