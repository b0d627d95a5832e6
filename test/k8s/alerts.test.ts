// The alert rules and the dashboard query only series that the code exports, each alert has a runbook page, and the
// commands of the runbook name existing objects. `npm run test:ops` evaluates the rules.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONFIG_VARIABLES } from '../../src/config.ts';
import {
  alerts as allAlerts,
  commands,
  dashboard,
  dashboardExpressions,
  declaredSeries,
  nameOf,
  pageOf,
  pages,
  readManifests,
  recordings,
  ruleGroups,
  runbook,
  seriesIn,
  sources,
  yamlFiles,
} from '../support/manifests.ts';
import { ROOT, textOf } from '../support/sources.ts';

/** Series that Prometheus and Kubernetes export rather than this service. */
const FOREIGN = new Map([
  ['up', []],
  ['ALERTS', ['alertname', 'alertstate']],
  ['kube_job_status_failed', ['job_name']],
  ['kube_job_status_active', ['job_name']],
  ['kube_job_status_start_time', ['job_name']],
]);

/** The labels that the PodMonitor adds to every series. */
const TARGET_LABELS = ['job', 'namespace', 'pod', 'component'];

const series = await declaredSeries();
const groups = ruleGroups();
const alerts = allAlerts();
const recorded = new Map(recordings().map(({ record }) => [record, ['objective']]));
const panels = dashboard().panels;
const triggers: { metadata: { query?: string } }[] = ['api', 'worker'].flatMap(
  (name) => parse(textOf(`k8s/components/autoscaling/${name}.yaml`)).spec.triggers,
);
const scaling = triggers.flatMap(({ metadata }) => metadata.query ?? []);

/** @returns the series and labels in `expression` that nothing exports */
function unknownIn(expression: string): string[] {
  const used = seriesIn(expression);
  if (used.length === 0) return [`no series in ${expression}`];
  return used.flatMap(({ name, labels }) => {
    const known = series.get(name) ?? recorded.get(name) ?? FOREIGN.get(name);
    if (!known) return [name];
    const all = [...known, ...TARGET_LABELS];
    return labels.filter((label) => !all.includes(label)).map((label) => `${name}{${label}}`);
  });
}

test('the metrics that the code declares are found', () => {
  expect(series.get('quiz_sockets')).toEqual([]);
  expect(series.get('quiz_queue_jobs')).toEqual(['queue', 'state']);
  expect(series.get('quiz_round_lateness_seconds_bucket')).toEqual(['le']);
  expect(series.get('http_request_duration_seconds_count')).toEqual(['method', 'route', 'status']);
  expect(series.has('process_cpu_seconds_total')).toBe(true);
  expect(series.has('quiz_answers')).toBe(false);
  expect(unknownIn('sum(quiz_nothing{job="quiz"})')).toEqual(['quiz_nothing']);
  expect(unknownIn('quiz_sockets{node="a"}')).toEqual(['quiz_sockets{node}']);
});

test.each([
  ['every alert', alerts.map(({ expr }) => expr), 21],
  ['each autoscaler', scaling, 2],
  ['the dashboard', dashboardExpressions(), 1],
])('%s queries only series that the service exports', (_who, expressions, atLeast) => {
  expect(expressions.length).toBeGreaterThanOrEqual(atLeast);
  expect(expressions.flatMap(unknownIn)).toEqual([]);
});

describe('every alert', () => {
  test('is evaluated often enough, with a short enough `for`, to fire within a minute', () => {
    for (const { interval } of groups) expect(['5s', '10s']).toContain(interval);
    const toPage = alerts.filter(({ labels }) => labels.severity === 'page');
    // Only alerts on outages and losses have to fire so soon; the others report trends.
    const isUrgent = /Down$|ReadOnly$|Errors|Lost|RoundsLate|ClocksLate|NotSaving/;
    const urgent = toPage.filter(({ alert }) => isUrgent.test(alert));
    expect(urgent.length).toBeGreaterThanOrEqual(11);
    for (const { alert, for: wait = '0s' } of urgent)
      expect([alert, Number.parseInt(wait, 10) <= 30 && wait.endsWith('s')]).toEqual([alert, true]);
  });

  test('has a severity, a summary, a description, and its own page in the runbook', () => {
    const names = alerts.map(({ alert }) => alert);
    expect(names).toEqual([...new Set(names)]);
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary.length).toBeGreaterThan(5);
      expect(annotations.description.length).toBeGreaterThan(20);
      expect(annotations.runbook_url).toBe(`k8s/runbook/${pageOf(alert)}`);
      expect(pages.get(pageOf(alert)), alert).toContain(`# ${alert}\n`);
    }
    const ofAlerts = [...pages.keys()].filter((page) => page.startsWith('quiz-'));
    expect(ofAlerts.toSorted()).toEqual(names.map(pageOf).toSorted());
    const listed = [...textOf('k8s/README.md').matchAll(/^\| \[(Quiz\w+)\]\S+ \| (\w+) \|/gm)];
    const severities = new Map(alerts.map(({ alert, labels }) => [alert, labels.severity]));
    expect(new Map(listed.map(([, alert, severity]) => [alert, severity]))).toEqual(severities);
  });

  test('has a test of its rule', () => {
    const cases: { firing?: Record<string, string[]> }[] = parse(textOf('test/ops/alerts.yaml'));
    const played = cases.flatMap(({ firing = {} }) => Object.values(firing).flat());
    const missing = alerts.filter(({ alert }) => !played.some((fired) => /^\w+/.exec(fired)?.[0] === alert));
    expect(missing.map(({ alert }) => alert)).toEqual([]);
  });
});

describe('the runbook', () => {
  test('says for each alert what it means, who reacts how soon, where to look and what to do', () => {
    const headings = ['What it means', 'Is it urgent?', 'Who is affected?', 'Look here', 'Do this'];
    for (const { alert } of alerts) {
      const parts = (pages.get(pageOf(alert)) ?? '').split(/^## /m).slice(1);
      const found = parts.filter((part) => part.replace(/.*/, '').trim().length >= 10);
      expect([alert, ...found.map((part) => part.split('\n', 1)[0])]).toEqual([alert, ...headings]);
      expect(parts).toEqual(found);
    }
  });

  test('names only files, variables and panels that exist', () => {
    const quoted = [...runbook.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
    const files = quoted.filter((text) => /^(base|components|overlays|src|worker)\/\S*$/.test(text));
    expect(files.length).toBeGreaterThan(10);
    const isThere = (file: string) => [file, `k8s/${file}`].some((path) => existsSync(join(ROOT, path)));
    expect(files.filter((file) => !isThere(file))).toEqual([]);

    const variables = quoted
      .map((text) => text.split('=', 1)[0] ?? '')
      .filter((name) => /^(DATABASE|REDIS|BETTER|RESEND|GOOGLE|GITHUB|RATE|LOBBY|SESSION|TRUST|EMAIL)_/.test(name));
    expect(variables.length).toBeGreaterThan(10);
    expect(variables.filter((name) => !CONFIG_VARIABLES.includes(name))).toEqual([]);

    const titles = [...panels.map(({ title }) => title), 'Vocabulary quiz', 'Upgrade'];
    const meant = [...runbook.matchAll(/"([A-Z][^"\n]{4,60})"/g)].map(([, text = '']) => text);
    expect(meant.filter((text) => !titles.includes(text))).toEqual([]);
  });

  test('searches the log only for lines that the code writes', () => {
    const messages = [...runbook.matchAll(/`logs '([\w][\w ]* [\w ]+)'`/g)].map(([, text = '']) => text);
    expect(messages.length).toBeGreaterThanOrEqual(5);
    const code = sources().join('\n');
    expect(messages.filter((message) => !code.includes(message))).toEqual([]);
  });

  const folders = /^k8s\/(base|components\/(autoscaling|prove))\//;
  const deployed = readManifests(yamlFiles().filter((file) => folders.test(file)));
  const typed = commands().filter((text) => /^(q|kubectl|logs|npm run prove) |^logs\(\)/.test(text));

  test('commands name only objects that are deployed', () => {
    const named = typed.flatMap((text) => [...text.matchAll(/\b(deployment|scaledobject|cronjob)[/ ]([a-z]+)/g)]);
    expect(named.length).toBeGreaterThan(15);
    const names = deployed.map((object) => nameOf(object).toLowerCase());
    const unknown = named.filter(([, kind, name]) => !names.includes(`${kind}/${name}`));
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
});

describe('the dashboard', () => {
  test('shows every metric of the service', () => {
    const shown = dashboardExpressions().join('\n');
    const own = [...series.keys()].filter((name) => name.startsWith('quiz_'));
    const families = new Set(own.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...families].filter((name) => !shown.includes(name))).toEqual([]);
  });

  test('has panels that do not overlap, with unique ids and titles', () => {
    for (const key of ['id', 'title'] as const)
      expect(new Set(panels.map((panel) => panel[key])).size, key).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(cells.length).toBe(new Set(cells).size);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
