// Reads the alert rules, the dashboard, and the metrics that the code declares.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { renderMetrics } from '../../src/platform/observability/metrics.ts';
import { ROOT } from './manifests.ts';

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string }[];
}

const FOLDER = join(ROOT, 'k8s/components/monitoring');

export interface Recording {
  record: string;
  expr: string;
  labels?: Record<string, string>;
}

export function ruleGroups(): { name: string; interval: string; rules: (Alert | Recording)[] }[] {
  return ['alerts.yaml', 'objectives.yaml'].flatMap(
    (file) => parse(readFileSync(join(FOLDER, file), 'utf8')).spec.groups,
  );
}

export function alerts(): Alert[] {
  return ruleGroups().flatMap(({ rules }) => rules.filter((rule) => 'alert' in rule));
}

export function recordings(): Recording[] {
  return ruleGroups().flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));
}

export function dashboard(): { uid: string; panels: Panel[] } {
  return JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8'));
}

export function dashboardExpressions(): string[] {
  return dashboard().panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
}

/** @returns the label names of each series that the code exports, by the series' name */
export async function declaredSeries(): Promise<Map<string, string[]>> {
  const series = new Map<string, string[]>();
  for (const text of sources()) {
    for (const { index, 1: type = '', 2: name = '' } of text.matchAll(/\b(counter|gauge|histogram)\(\s*'(\w+)'/g)) {
      const labels = labelsOf(callAt(text, index));
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
  return ['src', 'worker'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/generated|node_modules|src\/web\//.test(file))
      .map((file) => readFileSync(file, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '')),
  );
}

/** @returns the text of the call that begins at `start`, with its arguments */
function callAt(text: string, start: number): string {
  const bare = text.slice(start).replaceAll(/'[^'\n]*'/g, (string) => string.replaceAll(/[()]/g, ' '));
  let depth = 0;
  for (const { 0: bracket, index } of bare.matchAll(/[()]/g)) {
    depth += bracket === '(' ? 1 : -1;
    if (depth === 0) return bare.slice(0, index);
  }
  return bare;
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
