// Mutates the pure files of the rules by Stryker, which runs for each mutant the tests that execute it. Nothing else needs
// Stryker, so that it is installed beside the copy of the checkout when it is needed.
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

const VERSION = '10.1.1';
const SOURCES = ['src/{judging,scoring}/*.ts', 'src/{learning,match}/rules.ts', 'src/lobby/history.ts'];
/** The tests of these files that need neither PostgreSQL nor Redis. */
const TESTS = ['judging/judging', 'learning/rules', 'lobby/history', 'match/phases', 'match/rules', 'scoring/scoring'];
/** A test that is left out, since it measures times. */
const LEFT_OUT = { file: 'test/judging/judging.test.ts', opening: "\nit('[contract 17] the oddest translations" };
/** Tests that try values by chance try the same ones for each mutant, and don't look for smaller ones. */
const SETUP = `import fc from 'fast-check';\nfc.configureGlobal({ seed: 1, endOnFailure: true });\n`;

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
  leaveOutTest(folder);
  writeFileSync(join(folder, 'mutation.setup.ts'), SETUP);
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

function leaveOutTest(folder: string): void {
  const path = join(folder, LEFT_OUT.file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(LEFT_OUT.opening)) throw new Error(`${LEFT_OUT.file} has no more ${LEFT_OUT.opening}`);
  writeFileSync(path, text.replace(LEFT_OUT.opening, LEFT_OUT.opening.replace('(', '.skip(')));
}

function vitestConfig(): string {
  const include = TESTS.map((name) => `test/${name}.test.ts`);
  const test = { setupFiles: ['test/support/setup.ts', 'mutation.setup.ts'], testTimeout: 60_000, include };
  return `export default ${JSON.stringify({ test })};\n`;
}

function strykerConfig(mutate: string[], leastShare: number): object {
  return {
    mutate,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'mutation.vitest.config.ts' },
    // Stryker rewrites a file of this name by TypeScript's API, which TypeScript 7 no longer has.
    tsconfigFile: 'none',
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
    thresholds: { high: 100, low: 100 * leastShare, break: 100 * leastShare },
    coverageAnalysis: 'perTest',
    allowConsoleColors: false,
    concurrency: 2,
    // On a busy machine a test may take long; loops that never end are counted instead.
    timeoutMS: 10_000,
    allowEmpty: true,
  };
}
