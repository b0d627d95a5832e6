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

/**
 * @param isChosen says of a file whether it is mutated
 * @param leastShare of the mutants that have to die
 * @returns whether so many died
 */
export async function mutateRules(
  checkout: Checkout,
  isChosen: (file: string) => boolean,
  leastShare: number,
): Promise<boolean> {
  const { folder } = checkout;
  const mutate = globSync(SOURCES, { cwd: folder }).filter(isChosen);
  if (mutate.length === 0) return true;
  await install(checkout);
  leaveOutTests(folder);
  writeFileSync(join(folder, 'mutation.vitest.config.ts'), vitestConfig());
  writeFileSync(join(folder, 'stryker.config.json'), JSON.stringify(strykerConfig(mutate, leastShare)));
  const stryker = join(checkout.around, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const { code } = await checkout.run(process.execPath, [stryker, 'run'], { isShown: true });
  return code === 0;
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

function strykerConfig(mutate: string[], leastShare: number): object {
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './test/mutation/survivors.ts'],
    vitest: { configFile: 'mutation.vitest.config.ts' },
    // Stryker rewrites a file of this name by TypeScript's API, which TypeScript 7 no longer has.
    tsconfigFile: 'none',
    reporters: ['survivors', 'clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportMutants: false },
    thresholds: { high: 100, low: 100 * leastShare, break: 100 * leastShare },
    coverageAnalysis: 'perTest',
    allowConsoleColors: false,
    concurrency: 2,
    // On a busy machine a test may take long; loops that never end are counted instead.
    timeoutMS: 30_000,
    allowEmpty: true,
  };
}
