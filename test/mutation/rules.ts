// Mutates the pure files of the rules by Stryker, which runs for each mutant the tests that execute it. Nothing else needs
// Stryker, so that it is installed beside the copy of the checkout when it is needed.
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

const VERSION = '10.1.1';
const SOURCES = ['src/judging/*.ts', 'src/learning/rules.ts', 'src/lobby/history.ts', 'src/match/rules.ts'];
SOURCES.push('src/scoring/*.ts');
/** The tests of these files that need neither PostgreSQL nor Redis. */
const TESTS = [
  'test/judging/judging.test.ts',
  'test/learning/rules.test.ts',
  'test/lobby/history.test.ts',
  'test/match/{phases,rules}.test.ts',
  'test/scoring/scoring.test.ts',
];
/** Tests that are left out: they measure times, or try thousands of texts by chance, which differ from run to run. */
const LEFT_OUT: [file: string, ...openings: string[]][] = [
  ['test/judging/judging.test.ts', "describe('for any text'", "it('[contract 17] the oddest translations"],
];

interface Mutant {
  mutatorName: string;
  replacement?: string;
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'CompileError' | 'RuntimeError' | 'Ignored';
  location: { start: Place; end: Place };
}

interface Place {
  line: number;
  column: number;
}

/** How many mutants died, of how many. */
export interface Outcome {
  died: number;
  all: number;
}

/** @param isChosen says of a file whether it is mutated */
export async function mutateRules(checkout: Checkout, isChosen: (file: string) => boolean): Promise<Outcome> {
  const { folder } = checkout;
  const mutate = globSync(SOURCES, { cwd: folder }).filter(isChosen);
  if (mutate.length === 0) return { died: 0, all: 0 };
  await install(checkout);
  leaveOutTests(folder);
  writeFileSync(join(folder, 'mutation.vitest.config.ts'), vitestConfig());
  writeFileSync(join(folder, 'stryker.config.json'), JSON.stringify(strykerConfig(mutate)));
  const stryker = join(checkout.around, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { code } = await checkout.run(process.execPath, [stryker, 'run'], { isShown: true });
  if (code !== 0) throw new Error('Stryker has failed.');
  const report = JSON.parse(readFileSync(join(folder, 'mutants.json'), 'utf8'));
  return show(report.files as Record<string, { source: string; mutants: Mutant[] }>);
}

async function install({ around, run, folder }: Checkout): Promise<void> {
  writeFileSync(join(around, 'package.json'), '{ "private": true }');
  const packages = ['core', 'vitest-runner'].map((name) => `@stryker-mutator/${name}@${VERSION}`);
  const options = ['--no-save', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await run('npm', ['install', ...options, ...packages], { cwd: around });
  if (code !== 0) throw new Error(`Stryker could not be installed:\n${output}`);
  // The runner has to use the Vitest that the tests import.
  symlinkSync(join(folder, 'node_modules/vitest'), join(around, 'node_modules/vitest'));
}

function leaveOutTests(folder: string): void {
  for (const [file, ...openings] of LEFT_OUT) {
    let text = readFileSync(join(folder, file), 'utf8');
    for (const opening of openings) {
      if (!text.includes(`\n${opening}`)) throw new Error(`${file} has no more ${opening}`);
      text = text.replace(`\n${opening}`, `\n${opening.replace('(', '.skip(')}`);
    }
    writeFileSync(join(folder, file), text);
  }
}

function vitestConfig(): string {
  const test = { setupFiles: ['test/support/setup.ts'], testTimeout: 60_000, include: TESTS };
  return `export default ${JSON.stringify({ test })};\n`;
}

function strykerConfig(mutate: string[]): object {
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'mutation.vitest.config.ts' },
    // Stryker rewrites a file of this name by TypeScript's API, which TypeScript 7 no longer has.
    tsconfigFile: 'none',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: 'mutants.json' },
    coverageAnalysis: 'perTest',
    allowConsoleColors: false,
    concurrency: 2,
    timeoutMS: 20_000,
    allowEmpty: true,
  };
}

function show(files: Record<string, { source: string; mutants: Mutant[] }>): Outcome {
  const total: Outcome = { died: 0, all: 0 };
  const survivors: string[] = [];
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const valid = mutants.filter(({ status }) => !/Error$|Ignored/.test(status));
    const alive = valid.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    console.log(`${file}: ${valid.length - alive.length} killed, ${alive.length} survived`);
    total.died += valid.length - alive.length;
    total.all += valid.length;
    for (const { location, replacement, mutatorName, status } of alive) {
      const { start, end } = location;
      const line = source.split('\n')[start.line - 1] ?? '';
      const mutated = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : line.trim();
      const note = status === 'NoCoverage' ? ' (no test executes it)' : '';
      const change = `${oneLine(mutated)} → ${oneLine(replacement ?? mutatorName)}`;
      survivors.push(`  ${file}:${start.line}:${start.column}  ${change}${note}`);
    }
  }
  if (survivors.length > 0) console.log(`Survivors:\n${survivors.join('\n')}`);
  return total;
}

const oneLine = (code: string) => code.replaceAll(/\s+/g, ' ').slice(0, 60);
