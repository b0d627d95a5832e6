// Checks the alert rules and the dashboard's queries with Prometheus' own tool.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { dashboardExpressions, ruleGroups } from '../support/manifests.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-alerts-'));
  write('rules.yaml', { groups: ruleGroups() });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object): void {
  writeFileSync(join(folder, name), stringify(content));
}

/** A case of alerts.yaml or objectives.yaml. */
interface Case {
  name: string;
  /** The time between two samples, 10 s by default. */
  interval?: string;
  /** Whether the API and the workers are up, as they are by default. */
  up?: boolean;
  /** Each with its labels and values. */
  series?: string[];
  /** The times at which no alert fires or is pending. */
  quiet?: string[];
  /** The alerts that fire at a time, each with the labels by which they are counted. */
  firing?: Record<string, string[]>;
}

const read = (file: string): Case[] => parse(readFileSync(join(import.meta.dirname, file), 'utf8'));
const cases = read('alerts.yaml');
const UP = ['up{component="api",pod="a"} 1x120', 'up{component="worker",pod="w"} 1x120'];

/** @returns promtool's test of a case */
function testOf({ name, interval = '10s', up = true, series = [], quiet = [], firing = {} }: Case) {
  const input_series = [...(up ? UP : []), ...series].map((line) => {
    const [, metric = '', labels = '', values] = /^(\w+)\{(.*?)\} (.*)$/.exec(line) ?? [];
    const isOfQuiz = !/^kube_/.test(metric) && !/^job=/.test(labels);
    return { series: `${metric}{${isOfQuiz ? `job="quiz",${labels}` : labels}}`, values };
  });
  const tests = Object.entries(firing).map(([eval_time, alerts]) => {
    const labels = alerts.map((alert) => alert.replace(/^(\w+)\{?/, '{alertname="$1",').replace(/,?\}?$/, '}'));
    const names = [...(labels[0] ?? '{alertname=').matchAll(/(?<=[{,])\w+(?==)/g)].join(', ');
    const counts = Map.groupBy(labels, (label) => label);
    const exp_samples = [...counts].map(([label, { length }]) => ({ labels: label, value: length }));
    return { expr: `count by (${names}) (ALERTS{alertstate="firing"})`, eval_time, exp_samples };
  });
  const silent = quiet.map((eval_time) => ({ expr: 'count by (alertname) (ALERTS)', eval_time, exp_samples: [] }));
  return { name, interval, input_series, promql_expr_test: [...tests, ...silent] };
}

const testsOf = (some: Case[], rules = 'rules.yaml', evaluation_interval = '10s') => ({
  rule_files: [rules],
  evaluation_interval,
  tests: some.map(testOf),
});

/** @throws Error with the output of promtool when it fails */
function promtool(...args: string[]): string {
  try {
    return execFileSync('promtool', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`promtool ${args.join(' ')}\n${stdout}${stderr}`);
  }
}

test('the rules are valid', () => {
  expect(promtool('check', 'rules', 'rules.yaml')).toMatch(/SUCCESS: \d\d rules found/);
});

test('each alert fires when it should, and no other does', () => {
  write('alerts.yaml', testsOf(cases));
  promtool('test', 'rules', 'alerts.yaml');
});

test('an error budget that burns too fast alerts, the sooner the faster it burns', { timeout: 300_000 }, () => {
  const interval = '30s';
  write('objective-rules.yaml', { groups: ruleGroups().filter(({ name }) => name === 'quiz-objectives') });
  const slow = read('objectives.yaml').map((one) => ({ ...one, interval }));
  write('objectives.yaml', testsOf(slow, 'objective-rules.yaml', interval));
  promtool('test', 'rules', 'objectives.yaml');
});

test('the tests of the rules fail for a rule that never fires', () => {
  const redisDown = cases.filter(({ name }) => name === 'Redis down');
  write('redis-down.yaml', testsOf(redisDown, 'mistaken-rules.yaml'));
  const rules = readFileSync(join(folder, 'rules.yaml'), 'utf8');
  writeFileSync(join(folder, 'mistaken-rules.yaml'), rules);
  promtool('test', 'rules', 'redis-down.yaml');
  const mistaken = rules.replaceAll('store="redis"', 'store="valkey"');
  writeFileSync(join(folder, 'mistaken-rules.yaml'), mistaken);
  expect(() => promtool('test', 'rules', 'redis-down.yaml')).toThrow(/QuizRedisDown/);
});

test('the queries of the dashboard are valid', () => {
  const rules = dashboardExpressions().map((expression, i) => ({
    record: `dashboard:${i}`,
    expr: expression.replaceAll('$__rate_interval', '1m'),
  }));
  expect(rules.length).toBeGreaterThan(30);
  write('dashboard.yaml', { groups: [{ name: 'dashboard', rules }] });
  expect(promtool('check', 'rules', 'dashboard.yaml')).toContain(`${rules.length} rules found`);
});
