// Reads Kubernetes objects from files or from kustomize's output, and checks them against the types and
// validators of Kubernetes and of the operators, and against this project's policy.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDeployment, IStatefulSet } from 'kubernetes-models/apps/v1';
import type { ICronJob, IJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { filesIn, ROOT, textOf } from './sources.ts';

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

export type Workload = IDeployment | IStatefulSet | IJob;

/** @returns all YAML files under k8s/ without those with values of Helm charts, which are no Kubernetes objects */
export const yamlFiles = () => filesIn('k8s', /(?<!-values)\.yaml$/);

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
    .flatMap((file) => parseManifests(textOf(file)))
    .filter(({ apiVersion }) => !apiVersion.startsWith('kustomize.config.k8s.io/'));
}

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
  const validated = manifests.map(async (manifest) => {
    const module = await import(moduleOf(manifest.apiVersion));
    new module[manifest.kind](manifest).validate();
  });
  const outcomes = await Promise.allSettled(validated);
  const faults = outcomes.flatMap((outcome, index) =>
    outcome.status === 'rejected' ? `${nameOf(manifests[index] as Manifest)}: ${outcome.reason.message}` : [],
  );
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

export const podOf = (manifest: Manifest): IPodSpec | undefined => templateOf(manifest)?.spec;

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

const faultsOf = (checks: Record<string, boolean | null | undefined>): string[] =>
  Object.keys(checks).filter((fault) => checks[fault]);

// Reads the runbook's pages and the commands in them.

const RUNBOOK = join(ROOT, 'k8s/runbook');

/** The pages by file name, without the index. */
export const pages = new Map(readdirSync(RUNBOOK).map((name) => [name, readFileSync(join(RUNBOOK, name), 'utf8')]));

/** The text of the index and of all pages. */
export const runbook = [textOf('k8s/README.md'), ...pages.values()].join('\n');

/** @returns the file name of an alert's page: `quiz-api-down.md` for QuizApiDown */
export const pageOf = (alert: string) => `${alert.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.md`;

/** @returns all inline code and all lines of shell blocks, each command on one line */
export function commands(): string[] {
  const blocks = [...runbook.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text = '']) =>
    text.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const quoted = [...runbook.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)];
  return [...blocks, ...quoted.map(([, text = '']) => text)].map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

// Reads the alert rules, the dashboard, and the metrics that the code declares.

interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

interface Recording {
  record: string;
  expr: string;
  labels?: Record<string, string>;
}

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

const MONITORING = 'k8s/components/monitoring';

export const ruleGroups = (): { name: string; interval: string; rules: (Alert | Recording)[] }[] =>
  ['alerts.yaml', 'objectives.yaml'].flatMap((file) => parse(textOf(`${MONITORING}/${file}`)).spec.groups);

const rules = () => ruleGroups().flatMap((group) => group.rules);
export const alerts = () => rules().filter((rule) => 'alert' in rule);
export const recordings = () => rules().filter((rule) => 'record' in rule);

export const dashboard = (): { uid: string; panels: Panel[] } => JSON.parse(textOf(`${MONITORING}/dashboard.json`));

export const dashboardExpressions = () =>
  dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** @returns the label names of each series that the code exports, by the series' name */
export async function declaredSeries(): Promise<Map<string, string[]>> {
  const series = new Map<string, string[]>();
  for (const text of sources()) {
    for (const [call, type, name = ''] of text.matchAll(/\b(counter|gauge|histogram)\(\s*'(\w+)'.*?\)[,;]$/gms)) {
      const labels = labelsOf(call);
      if (type !== 'histogram') series.set(name, labels);
      else {
        series.set(`${name}_bucket`, [...labels, 'le']);
        for (const part of ['sum', 'count']) series.set(`${name}_${part}`, labels);
      }
    }
  }
  // The metrics library adds the series of the process and of Node.js.
  const { text } = await renderMetrics();
  for (const [, name = ''] of text.matchAll(/^# TYPE ((?:process|nodejs)_\w+)/gm))
    series.set(name, ['space', 'kind', 'type']);
  return series;
}

/** @returns the text of each source file without line comments */
export function sources(): string[] {
  return ['src', 'worker']
    .flatMap((folder) => filesIn(folder, /\.ts$/))
    .filter((file) => !file.startsWith('src/web/'))
    .map((file) => textOf(file).replaceAll(/^\s*\/\/.*$/gm, ''));
}

/** @returns the last array of strings in a metric's declaration, which is that of its labels */
function labelsOf(call: string): string[] {
  const lists = [...call.matchAll(/\[((?:\s*'\w+',?)+)\s*\]/g)];
  return [...(lists.at(-1)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, name = '']) => name);
}

/** @returns the series in a PromQL expression, with the labels of their selectors */
export function seriesIn(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].map(([, name = '', selectors = '']) => ({
    name,
    labels: [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label = '']) => label),
  }));
}
