// Checks what `kubectl apply -k` of an overlay sends to the cluster: it is complete, valid and consistent.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IContainer, IService } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import {
  type Manifest,
  nameOf,
  parseManifests,
  podOf,
  policyFaults,
  schemaFaults,
  templateOf,
  type Workload,
} from '../support/manifests.ts';
import { ROOT } from '../support/sources.ts';

/** Secrets that an overlay refers to, but does not contain. */
const EXTERNAL_SECRETS = {
  local: [],
  small: ['quiz', 'quiz-console', 'quiz-owner', 'postgres'],
  production: ['quiz', 'quiz-console', 'quiz-owner'],
};

/** @param folder the manifests of all overlays */
function render(overlay: string, folder = join(ROOT, 'k8s')): Manifest[] {
  const path = join(folder, 'overlays', overlay);
  return parseManifests(execFileSync('kubectl', ['kustomize', path], { encoding: 'utf8' }));
}

function ofKind<T>(manifests: Manifest[], kind: string): (Manifest & T)[] {
  return manifests.filter((manifest) => manifest.kind === kind) as (Manifest & T)[];
}

type Labels = Record<string, string>;
type ScaledObject = { spec: { scaleTargetRef: { name: string }; minReplicaCount: number } };
type PrometheusRule = { spec: { groups: { rules: { annotations?: Labels }[] }[] } };
const labelsOf = (manifest: Manifest) => (templateOf(manifest)?.metadata?.labels ?? {}) as Labels;

describe.each(['local', 'small', 'production'] as const)('overlay %s', (overlay) => {
  const manifests = render(overlay);
  const names = manifests.map(nameOf);
  const workloads = manifests.filter(podOf);
  const containers: IContainer[] = workloads.flatMap((workload) => {
    const pod = podOf(workload);
    return [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])];
  });

  /** @returns the workloads whose pods have all of `labels` */
  function selected(labels: Labels): Manifest[] {
    const wanted = Object.entries(labels);
    return workloads.filter((workload) => wanted.every(([name, value]) => labelsOf(workload)[name] === value));
  }

  /** @returns the names of the ports of the pods that have all of `labels` */
  function portsOf(labels: Labels): unknown[] {
    const owners = selected(labels).flatMap((workload) => podOf(workload)?.containers ?? []);
    return owners.flatMap(({ ports }) => ports?.map(({ name }) => name));
  }

  test('every object matches its schema', async () => {
    expect(await schemaFaults(manifests)).toEqual([]);
  });

  test('every workload fulfils the security policy', () => {
    expect(workloads.length).toBeGreaterThanOrEqual(3);
    expect(policyFaults(manifests)).toEqual([]);
  });

  test('all objects are in the namespace of the overlay', () => {
    const homeless = manifests.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'quiz');
    expect(homeless.map(nameOf)).toEqual([]);
    expect(names).toContain('Namespace/quiz');
  });

  test('every image has a version', () => {
    expect(containers.filter(({ image }) => /:unset$/.test(image ?? ''))).toEqual([]);
  });

  test('every ConfigMap, Secret and service account that a pod refers to exists', () => {
    const sources = containers.flatMap(({ envFrom }) => envFrom ?? []);
    const references = [
      ...containers.flatMap(({ env }) => env ?? []).map(({ valueFrom }) => ['Secret', valueFrom?.secretKeyRef?.name]),
      ...sources.map(({ configMapRef }) => ['ConfigMap', configMapRef?.name]),
      ...sources.map(({ secretRef }) => ['Secret', secretRef?.name]),
      ...workloads.map((workload) => ['ServiceAccount', podOf(workload)?.serviceAccountName]),
    ];
    const named = references.filter(([, name]) => name !== undefined).map((reference) => reference.join('/'));
    const external = EXTERNAL_SECRETS[overlay].map((name) => `Secret/${name}`);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((reference) => ![...names, ...external].includes(reference))).toEqual([]);
  });

  test('services, disruption budgets and policies select pods and ports that exist', () => {
    for (const service of ofKind<IService>(manifests, 'Service')) {
      const ports = portsOf(service.spec?.selector as Labels);
      for (const { name, targetPort } of service.spec?.ports ?? [])
        expect(ports, nameOf(service)).toContain(targetPort ?? name);
    }
    for (const budget of ofKind<IPodDisruptionBudget>(manifests, 'PodDisruptionBudget'))
      expect(selected(budget.spec?.selector?.matchLabels as Labels)).toHaveLength(1);
    for (const policy of ofKind<INetworkPolicy>(manifests, 'NetworkPolicy')) {
      // The pods of this policy belong to cert-manager.
      if (policy.metadata.name === 'acme-solver') continue;
      const labels = policy.spec?.podSelector?.matchLabels as Labels | undefined;
      if (labels) expect(selected(labels), nameOf(policy)).toHaveLength(1);
      for (const rule of policy.spec?.ingress ?? [])
        for (const { port } of rule.ports ?? []) expect(portsOf(labels ?? {}), nameOf(policy)).toContain(port);
    }
    for (const ingress of ofKind<IIngress>(manifests, 'Ingress'))
      for (const path of ingress.spec?.rules?.flatMap(({ http }) => http?.paths ?? []) ?? [])
        expect(names).toContain(`Service/${path.backend.service?.name}`);
  });

  const podsAtLeast = overlay === 'small' ? 1 : 2;
  test(`the API and the workers have at least ${podsAtLeast} pods each, which disruption budgets protect`, () => {
    const objects = ofKind<ScaledObject>(manifests, 'ScaledObject');
    const scaled = new Map(objects.map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicaCount]));
    for (const name of ['api', 'worker']) {
      const deployment = manifests.find((m) => nameOf(m) === `Deployment/${name}`) as Workload;
      const fixed = (deployment.spec as { replicas?: number }).replicas;
      // Either the manifest or an autoscaler sets the number of pods, never both.
      expect([fixed, scaled.get(name)].filter((count) => count !== undefined)).toHaveLength(1);
      expect(fixed ?? scaled.get(name)).toBeGreaterThanOrEqual(podsAtLeast);
      expect(names).toContain(`PodDisruptionBudget/${name}`);
    }
  });

  test('the service accepts the configuration, with the secret that the runbook describes', () => {
    const maps = ofKind<IConfigMap>(manifests, 'ConfigMap');
    const config = maps.find(({ metadata }) => metadata.name.startsWith('quiz-config'));
    const secret = {
      DATABASE_URL: 'postgresql://quiz:quiz@postgres:5432/quiz',
      REDIS_URL: 'redis://redis:6379',
      BETTER_AUTH_SECRET: 'a-secret-that-is-long-enough-to-be-taken',
      RESEND_API_KEY: 're_key',
    };
    const read = readConfig({ ...secret, ...(config?.data as Labels) });
    // `prove` plays as guests.
    expect(read).toMatchObject({ production: overlay !== 'local', guests: true, port: 3000, metricsPort: 9464 });
  });
});

test('the small overlay requests at most one core, also while a new version starts and `prove` runs', () => {
  const cores = render('small').flatMap((workload) => {
    // An update adds a pod of the new version to the one of the old.
    const pods = workload.kind === 'Deployment' ? 2 : 1;
    return (podOf(workload)?.containers ?? []).map(
      ({ resources }) => (pods * Number.parseInt(String(resources?.requests?.cpu), 10)) / 1000,
    );
  });
  expect(cores.length).toBeGreaterThanOrEqual(6);
  const total = cores.reduce((sum, each) => sum + each, 0);
  expect(total).toBeGreaterThan(0.5);
  // The migration has ended before `prove` runs.
  expect(total - 0.1).toBeLessThanOrEqual(1);
});

test('a release of the small overlay restarts nothing but the service', () => {
  const before = render('small').map((manifest) => JSON.stringify(manifest));
  const after = renderCopy((text) => text.replace(/release: .*/, 'release: 9.9.9'), 'settings.yaml', 'small');
  const changed = after.filter((manifest) => !before.includes(JSON.stringify(manifest)));
  const service = ['CronJob/prove', 'Deployment/api', 'Deployment/worker', 'Job/migrate-9.9.9'];
  expect(changed.map(nameOf).toSorted()).toEqual(service);
});

test('overlay production has no store', () => {
  expect(ofKind(render('production'), 'StatefulSet')).toEqual([]);
});

test.each([
  ['ghcr.io/example/vocabulary-quiz-service', '0.1.0'],
  ['registry.internal:5000/quiz', '0.1.0'],
  ['ghcr.io/example/quiz', `0.1.0@sha256:${'a'.repeat(64)}`],
])('the migration Job of the image %s:%s has the name of its version', (image, release) => {
  const setImage = (text: string) =>
    text.replace(/image: .*/, `image: ${image}`).replace(/release: .*/, `release: ${release}`);
  const rendered = renderCopy(setImage, 'settings.yaml');
  const job = rendered.find((manifest) => nameOf(manifest) === 'Job/migrate-0.1.0') as Manifest;
  expect(podOf(job)?.containers[0]?.image).toBe(`${image}:${release}`);
});

test('each alert of production links to its page, at the address that the overlay sets', () => {
  const address = 'https://git.example/quiz/src/branch/main';
  const setAddress = (text: string) => text.replace(/^ {2}repository: .*/m, `  repository: ${address}`);
  const rendered = renderCopy(setAddress, 'settings.yaml');
  const groups = ofKind<PrometheusRule>(rendered, 'PrometheusRule').flatMap(({ spec }) => spec.groups);
  const rules = groups.flatMap((group) => group.rules);
  const links = rules.flatMap(({ annotations }) => annotations?.runbook_url ?? []);
  expect(links.length).toBeGreaterThan(30);
  for (const link of links) {
    expect(link.startsWith(`${address}/k8s/runbook/`), link).toBe(true);
    expect(existsSync(join(ROOT, link.slice(address.length)))).toBe(true);
  }
  expect(JSON.stringify(ofKind(rendered, 'ConfigMap'))).not.toContain(address);
});

test('component prove-accounts gives `prove` its accounts', () => {
  const job = renderWith('prove-accounts').find((manifest) => nameOf(manifest) === 'CronJob/prove') as Manifest;
  const { containers = [], volumes } = podOf(job) ?? {};
  const [{ args = [], volumeMounts } = {}] = containers;
  expect(args).toContain(`--accounts=${volumeMounts?.[0]?.mountPath}/accounts`);
  expect(volumes?.[0]).toEqual({ name: 'accounts', secret: { secretName: 'quiz-prove' } });
});

test.each(['prove-accounts', 'pgbouncer', ...variants()])(
  'component %s fits the overlay, and leaves nothing open or unset',
  async (component) => {
    const rendered = renderWith(component);
    expect(await schemaFaults(rendered)).toEqual([]);
    expect(policyFaults(rendered)).toEqual([]);
    expect(JSON.stringify(rendered)).not.toContain('"unset"');
    const policies = ofKind<INetworkPolicy>(rendered, 'NetworkPolicy');
    const named = (name: string) => policies.find(({ metadata }) => metadata.name === name)?.spec;
    // Without `from` or `to` a policy would allow everybody.
    expect(named('players')?.ingress?.[0]?.from).toHaveLength(1);
    expect(named('acme-solver')?.ingress?.[0]?.from).toEqual(named('players')?.ingress?.[0]?.from);
    expect(named('dns')?.egress?.[0]?.to?.length).toBeGreaterThan(0);
  },
);

/** @returns the components of which an overlay has exactly one */
function variants(): string[] {
  return ['dns', 'ingress'].flatMap((folder) =>
    readdirSync(join(ROOT, 'k8s/components', folder))
      .filter((name) => name !== 'policies')
      .map((name) => `${folder}/${name}`),
  );
}

/** Renders production with one more component, in place of that of its folder where it is one of several. */
function renderWith(component: string): Manifest[] {
  const [folder, variant] = component.split('/');
  const line = `  - ../../components/${component}\n`;
  return renderCopy((text) => {
    const others = variant ? new RegExp(` *- \\S+/${folder}/\\S+\n`) : '';
    const edited = text.replace(others, '').replace(/ *- \S+\/prove\n/, (prove) => prove + line);
    expect(edited).toContain(line);
    return edited;
  });
}

/** Renders an overlay with a file of it changed by `edit`. */
function renderCopy(edit: (text: string) => string, name = 'kustomization.yaml', overlay = 'production'): Manifest[] {
  const copy = mkdtempSync(join(tmpdir(), 'quiz-overlay-'));
  try {
    cpSync(join(ROOT, 'k8s'), copy, { recursive: true });
    const file = join(copy, 'overlays', overlay, name);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
    return render(overlay, copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
