// The files in k8s/, checked without a cluster and without kubectl. `npm run test:ops` checks kustomize's output.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_VARIABLES, variables } from '../../src/config.ts';
import {
  type Manifest,
  nameOf,
  parseManifests,
  podOf,
  policyFaults,
  readManifests,
  schemaFaults,
  yamlFiles,
} from '../support/manifests.ts';
import { ROOT, textOf } from '../support/sources.ts';

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
  .map((file) => ({ file, ...(parse(textOf(file)) as Kustomization) }));

const compose = parse(textOf('compose.yaml'), { merge: true });

function find(name: string): Manifest {
  const manifest = manifests.find((candidate) => nameOf(candidate) === name);
  if (!manifest) throw new Error(`There is no ${name}.`);
  return manifest;
}

test('every object matches its schema, without unknown fields', async () => {
  expect(manifests.length).toBeGreaterThan(20);
  expect(await schemaFaults(manifests)).toEqual([]);
});

test('every workload runs without root, capabilities, or a writable file system, has limits, and has probes', () => {
  expect(manifests.filter(podOf).map(nameOf)).toEqual(
    expect.arrayContaining(['Deployment/api', 'Deployment/worker', 'Job/migrate']),
  );
  expect(policyFaults(manifests)).toEqual([]);
});

describe('the checks detect', () => {
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

  test('a wrong type, and an unknown field', async () => {
    const faults = await schemaFaults(bad);
    expect(faults).toContainEqual(expect.stringMatching(/^Deployment\/bad: .*replicas.* integer/));
    expect(faults).toContainEqual(expect.stringMatching(/^Deployment\/bad: .*'"imag"'/));
  });

  test('every violation of the policy', () => {
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
  test('name files that exist, and include every file', () => {
    const named = kustomizations.flatMap(({ file, resources, components, patches }) =>
      [...(resources ?? []), ...(components ?? []), ...(patches ?? []).flatMap(({ path }) => path ?? [])].map(
        (path) => {
          const target = resolve(ROOT, dirname(file), path);
          if (!existsSync(target)) throw new Error(`${file} names ${path}, which does not exist.`);
          const isFolder = statSync(target).isDirectory();
          return relative(ROOT, isFolder ? join(target, 'kustomization.yaml') : target);
        },
      ),
    );
    // Overlays, and the components that they may choose.
    const roots = kustomizations
      .map(({ file }) => file)
      .filter((file) => /^k8s\/(overlays|components\/(dns|ingress|pgbouncer|prove-accounts))\//.test(file));
    expect([...new Set([...named, ...roots])].sort()).toEqual(files);
    for (const { file, configMapGenerator } of kustomizations)
      for (const entry of configMapGenerator?.flatMap((generator) => generator.files ?? []) ?? [])
        expect(existsSync(join(ROOT, posix.dirname(file), entry.split('=').at(-1) ?? ''))).toBe(true);
  });

  test('set only variables that the service reads', () => {
    const set = kustomizations.flatMap(({ configMapGenerator = [], secretGenerator = [] }) =>
      [...configMapGenerator, ...secretGenerator]
        .filter(({ name }) => name.startsWith('quiz'))
        .flatMap(({ literals = [] }) => literals.map((literal) => literal.split('=', 1)[0] ?? '')),
    );
    expect(set.length).toBeGreaterThan(8);
    expect(set.filter((name) => !CONFIG_VARIABLES.includes(name))).toEqual([]);
  });

  test('give the token of the console to workers alone', () => {
    const getters = manifests.filter((manifest) =>
      podOf(manifest)?.containers.some(({ envFrom = [] }) =>
        envFrom.some(({ secretRef }) => secretRef?.name === 'quiz-console'),
      ),
    );
    expect(getters.map(nameOf)).toEqual(['Deployment/worker']);
    const makers = kustomizations.flatMap(({ secretGenerator = [] }) => secretGenerator);
    const named = makers.filter(({ literals }) => /CONSOLE_TOKEN/.test(`${literals}`));
    expect(named.map(({ name }) => name)).toEqual(['quiz-console']);
    const composed = Object.keys(compose.services).filter((name) =>
      Object.hasOwn(compose.services[name].environment ?? {}, 'CONSOLE_TOKEN'),
    );
    expect(composed).toEqual(['worker']);
  });

  test('generate a Secret only in the overlay for one machine', () => {
    const makers = kustomizations.filter(({ secretGenerator }) => secretGenerator);
    expect(makers.map(({ file }) => file)).toEqual(['k8s/overlays/local/kustomization.yaml']);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });
});

test('a stopped replica still takes requests for some seconds, and has longer than its drain, as any process', () => {
  const deadline = /STOP_DEADLINE_MS = ([\d_]+)/.exec(textOf('src/platform/signals.ts'));
  const drainSeconds = Number(deadline?.[1]?.replaceAll('_', '')) / 1000;
  const [api, worker] = [podOf(find('Deployment/api')), podOf(find('Deployment/worker'))];
  const [command, seconds] = api?.containers[0]?.lifecycle?.preStop?.exec?.command ?? [];
  expect(command).toBe('sleep');
  expect(Number(seconds)).toBeGreaterThanOrEqual(5);
  expect(api?.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + drainSeconds + 5);
  expect(worker?.terminationGracePeriodSeconds).toBeGreaterThan(drainSeconds + 5);
  for (const name of ['api', 'worker'])
    expect(Number.parseInt(compose.services[name].stop_grace_period, 10)).toBeGreaterThan(drainSeconds);
});

test('an unavailable store does not restart a replica, but keeps it from becoming ready', () => {
  const [api] = podOf(find('Deployment/api'))?.containers ?? [];
  expect(api?.startupProbe?.httpGet?.path).toBe('/api/health/ready');
  expect(api?.readinessProbe?.httpGet?.path).toBe('/api/health/ready');
  expect(api?.livenessProbe?.httpGet?.path).toBe('/api/health/live');
  const [worker] = podOf(find('Deployment/worker'))?.containers ?? [];
  expect(worker?.startupProbe?.httpGet).toEqual({ path: '/ready', port: 'metrics' });
  expect(worker?.readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'metrics' });
  expect(worker?.livenessProbe?.httpGet).toEqual({ path: '/live', port: 'metrics' });
});

test('no process of a new version starts before its migrations are applied', () => {
  for (const name of ['Deployment/api', 'Deployment/worker'])
    expect(podOf(find(name))?.initContainers?.[0]?.command).toEqual(['node', 'prisma/deploy.js', '--wait']);
  expect(podOf(find('Job/migrate'))?.initContainers?.[0]?.command).toEqual(['node', 'prisma/deploy.js']);
});

describe('the policy `internet`', () => {
  interface IpRule {
    to: { ipBlock: { cidr: string; except: string[] } }[];
  }
  const policy = find('NetworkPolicy/internet') as Manifest & { spec: { egress: IpRule[] } };
  const blocks = policy.spec.egress.flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock));

  const isIn = (address: string, cidr: string) => {
    const [parsed, range] = [ipaddr.parse(address), ipaddr.parseCIDR(cidr)];
    return parsed.kind() === range[0].kind() && parsed.match(range);
  };
  const isAllowed = (address: string) =>
    blocks.some(({ cidr, except }) => isIn(address, cidr) && !except.some((exception) => isIn(address, exception)));

  test.each(['140.82.121.3', '2606:50c0:8000::153'])('allows the public address %s', (address) => {
    expect(isAllowed(address)).toBe(true);
  });

  const inside = ['10.1.2.3', '100.64.0.1', '169.254.169.254', '172.20.0.1', '192.168.1.1'];
  test.each([...inside, 'fd00::1', 'fd00:ec2::254', 'fe80::1'])('excludes the private address %s', (address) => {
    expect(isAllowed(address)).toBe(false);
  });
});

test('the Job `prove` can create its players: production admits guests, as many as it asks for', () => {
  const production = kustomizations.find(({ file }) => file.includes('overlays/production'));
  const literals = production?.configMapGenerator?.flatMap((maker) => maker.literals ?? []) ?? [];
  expect(literals).toContain('GUESTS=true');
  expect(literals.filter((literal) => literal.startsWith('RATE_LIMIT_GUEST_MAX'))).toEqual([]);
  const args = podOf(find('CronJob/prove'))?.containers[0]?.args ?? [];
  const players = Number(args.find((arg) => arg.startsWith('--players='))?.split('=')[1]);
  expect(players).toBeGreaterThan(0);
  const { RATE_LIMIT_GUEST_MAX: max } = variables.pick({ RATE_LIMIT_GUEST_MAX: true }).parse({});
  expect(players).toBeLessThanOrEqual(max);
});
