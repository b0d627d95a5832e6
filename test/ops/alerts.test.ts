// Checks the alert rules and the dashboard's queries with Prometheus' own tool.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { dashboardExpressions, ruleGroups } from '../support/manifests.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'quiz-alerts-'));
  const groups = ruleGroups();
  const objectives = groups.filter(({ name }) => name === 'quiz-objectives');
  write('rules.yaml', { groups });
  write('objective-rules.yaml', { groups: objectives });
  for (const file of ['alerts.yaml', 'objectives.yaml']) cpSync(join(import.meta.dirname, file), join(folder, file));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: object): void {
  writeFileSync(join(folder, name), stringify(content));
}

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
  promtool('test', 'rules', 'alerts.yaml');
});

test('an error budget that burns too fast alerts, the sooner the faster it burns', () => {
  promtool('test', 'rules', 'objectives.yaml');
});

test('the tests of the rules fail for a rule that never fires', () => {
  const { tests, ...options } = parse(readFileSync(join(folder, 'alerts.yaml'), 'utf8'));
  const redisDown = tests.filter(({ name }: { name: string }) => name === 'Redis down');
  write('redis-down.yaml', { ...options, rule_files: ['mistaken-rules.yaml'], tests: redisDown });
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
