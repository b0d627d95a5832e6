// Reads Kubernetes objects from files or from kustomize's output, and checks them against the types and
// validators of Kubernetes and of the operators, and against this project's policy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';

export const ROOT = join(import.meta.dirname, '../..');

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

export type Workload = IDeployment | IStatefulSet | IJob;

/** Matches files with values of Helm charts, which are no Kubernetes objects. */
const NO_MANIFEST = /-values\.yaml$/;

/** @returns all YAML files under k8s/, relative to the project */
export function yamlFiles(): string[] {
  return readdirSync(join(ROOT, 'k8s'), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => !NO_MANIFEST.test(file))
    .sort();
}

/** @throws Error when `text` is not YAML */
export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { merge: true }).map((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return document.toJS() as Manifest;
  });
}

/** @returns the objects of all files except kustomizations */
export function readManifests(files = yamlFiles()): Manifest[] {
  return files
    .flatMap((file) => parseManifests(readFileSync(join(ROOT, file), 'utf8')))
    .filter(({ apiVersion }) => !apiVersion.startsWith('kustomize.config.k8s.io/'));
}

/** @returns the object's name in reported faults */
export const nameOf = ({ kind, metadata }: Manifest) => `${kind}/${metadata.name}`;

function moduleOf(apiVersion: string): string {
  if (apiVersion.startsWith('keda.sh/')) return `@kubernetes-models/keda/${apiVersion}`;
  if (apiVersion.startsWith('monitoring.coreos.com/')) return `@kubernetes-models/prometheus-operator/${apiVersion}`;
  return `kubernetes-models/${apiVersion}`;
}

/**
 * Checks objects against their schemas. The validators find missing fields and wrong types and formats; the
 * type checker finds unknown fields.
 * @returns one line per fault
 */
export async function schemaFaults(manifests: Manifest[]): Promise<string[]> {
  const faults: string[] = [];
  for (const manifest of manifests) {
    try {
      const module = await import(moduleOf(manifest.apiVersion));
      new module[manifest.kind](manifest).validate();
    } catch (error) {
      faults.push(`${nameOf(manifest)}: ${(error as Error).message}`);
    }
  }
  return [...faults, ...unknownFields(manifests)];
}

function unknownFields(manifests: Manifest[]): string[] {
  const lines = manifests.flatMap((manifest, i) => [
    `import type { I${manifest.kind} as T${i} } from '${moduleOf(manifest.apiVersion)}';`,
    `export const o${i}: T${i} = ${JSON.stringify(manifest)};`,
  ]);
  // The folder is inside the project, so that imports resolve to its node_modules.
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.data/manifests-'));
  try {
    const file = join(folder, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const flags = '--noEmit --ignoreConfig --strict --skipLibCheck --module nodenext --pretty false';
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    const { stdout, status, error } = spawnSync(tsc, [...flags.split(' '), file], { encoding: 'utf8' });
    if (error) throw error;
    if (status === 0) return [];
    return stdout.split('\n').flatMap((line) => {
      const [, lineNumber, message] = /\((\d+),\d+\): (.*)/.exec(line) ?? [];
      const manifest = manifests[Math.floor((Number(lineNumber) - 1) / 2)];
      return message && manifest ? [`${nameOf(manifest)}: ${message}`] : [];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns the pod template of a workload, or undefined for any other object */
export function templateOf(manifest: Manifest) {
  if (manifest.kind === 'CronJob') return (manifest as ICronJob).spec?.jobTemplate.spec?.template;
  if (!['Deployment', 'StatefulSet', 'DaemonSet', 'Job'].includes(manifest.kind)) return undefined;
  return (manifest as Workload).spec?.template;
}

/** @returns the pod spec of a workload, or undefined for any other object */
export function podOf(manifest: Manifest): IPodSpec | undefined {
  return templateOf(manifest)?.spec;
}

/** Checks workloads against the project's policy. @returns one line per fault */
export function policyFaults(manifests: Manifest[]): string[] {
  return manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    if (!pod) return [];
    const isService = manifest.kind !== 'Job' && manifest.kind !== 'CronJob';
    const faults = [
      ...podFaults(pod),
      ...[...(pod.initContainers ?? []), ...pod.containers].flatMap(containerFaults),
      ...(isService ? pod.containers.flatMap(probeFaults) : []),
      ...(manifest.kind === 'Deployment' ? deploymentFaults(manifest as IDeployment) : []),
    ];
    return faults.map((fault) => `${nameOf(manifest)}: ${fault}`);
  });
}

function podFaults(pod: IPodSpec): string[] {
  const { securityContext = {} } = pod;
  return faultsOf({
    'may run as root': securityContext?.runAsNonRoot !== true || !securityContext.runAsUser,
    'has no seccomp profile': securityContext?.seccompProfile?.type !== 'RuntimeDefault',
    'gets a token of Kubernetes': pod.automountServiceAccountToken !== false,
    'shares a namespace of its node': pod.hostNetwork || pod.hostPID || pod.hostIPC,
    'mounts a folder of its node': pod.volumes?.some((volume) => volume.hostPath),
  });
}

function containerFaults({ name, image = '', resources, ...container }: IContainer): string[] {
  const security = container.securityContext ?? {};
  const { requests = {}, limits = {} } = resources ?? {};
  return faultsOf({
    [`${name} has an image without a version`]: !/:[^:/]+$/.test(image) || /:latest$/.test(image),
    [`${name} may gain privileges`]: security.allowPrivilegeEscalation !== false || security.privileged === true,
    [`${name} may write into its image`]: security.readOnlyRootFilesystem !== true,
    [`${name} keeps capabilities`]: security.capabilities?.drop?.[0] !== 'ALL',
    [`${name} adds capabilities`]: (security.capabilities?.add ?? []).length > 0,
    [`${name} requests no resources`]: !requests.cpu || !requests.memory,
    [`${name} has no limits`]: !limits.cpu || !limits.memory,
    [`${name} has a secret in its manifest`]: container.env?.some(
      (variable) => /SECRET|PASSWORD|_KEY|_URL$/.test(variable.name) && variable.value,
    ),
  });
}

function probeFaults(container: IContainer): string[] {
  const { name, startupProbe, readinessProbe, livenessProbe } = container;
  return faultsOf({
    [`${name} has no startup probe`]: !startupProbe,
    [`${name} has no readiness probe`]: !readinessProbe,
    [`${name} has no liveness probe`]: !livenessProbe,
  });
}

function deploymentFaults({ spec }: IDeployment): string[] {
  const keys = spec?.template.spec?.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
  return faultsOf({
    'lets a rollout take a replica away first': spec?.strategy?.rollingUpdate?.maxUnavailable !== 0,
    'is not spread over zones': !keys?.includes('topology.kubernetes.io/zone'),
    'is not spread over nodes': !keys?.includes('kubernetes.io/hostname'),
  });
}

function faultsOf(checks: Record<string, boolean | null | undefined>): string[] {
  return Object.keys(checks).filter((fault) => checks[fault]);
}
