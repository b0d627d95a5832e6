// The reporters of a test run, and the order of its files. On CI each run also writes a report, from which .ci/run
// counts tests, and repeats the files that failed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import { createRandom } from '../../src/tools/prove/random.ts';

/** Writes a file for each run into the folder of the environment variable `TEST_REPORTS`. */
class CiReport implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const { root } = this.#vitest?.config ?? { root: '.' };
    const config = relative(root, this.#vitest?.vite.config.configFile || '');
    const files = modules.map((module) => {
      const count = (state: 'passed' | 'failed') => [...module.children.allTests(state)].length;
      return {
        config,
        project: module.project.name,
        file: relative(root, module.moduleId),
        ms: module.diagnostic().duration,
        passed: count('passed'),
        // A file that could not be loaded, or whose hooks failed, counts as a failure too.
        failed: count('failed') || Number(module.state() === 'failed'),
        firstFailure: firstFailureOf(module),
      };
    });
    const folder = process.env.TEST_REPORTS ?? '.data/test-reports';
    mkdirSync(folder, { recursive: true });
    const errors = unhandled.map(({ message }) => message);
    writeFileSync(`${folder}/${process.pid}.json`, JSON.stringify({ files, errors }));
  }
}

/** @returns the title and message of the first failed test, or the message of the file's own error */
function firstFailureOf(module: TestModule): string | null {
  for (const test of module.children.allTests('failed'))
    return `${test.fullName}: ${test.result().errors?.[0]?.message.split('\n')[0]}`;
  const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
  return [...module.errors(), ...suites][0]?.message.split('\n')[0] ?? null;
}

export const reporters: ['default', ...Reporter[]] = process.env.CI ? ['default', new CiReport()] : ['default'];

// The order of test files: first those that wait for long, since they would run alone at the end, then all others by
// chance, so that a test which needs what another one left behind is found.

/** Files that mostly wait, for half a minute or more. */
const WAITING = [
  ...['chaos', 'dripping-peers', 'rolling-update'].map((name) => `test/system/${name}.test.ts`),
  ...['accessibility', 'game'].map((name) => `test/browser/${name}.test.ts`),
];

/** Shuffles the files of a project, after those that wait. It prints the seed; `--sequence.seed=N` repeats an order. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    this.ctx.logger.log(`The order of the files has the seed ${seed}.\n`);
    const random = createRandom(seed);
    const nameOf = ({ project, moduleId }: TestSpecification) => `${project.name} ${moduleId}`;
    const names = files.map(nameOf).toSorted();
    const places = new Map(names.map((name) => [name, random.next()]));
    const placeOf = (file: TestSpecification) => places.get(nameOf(file)) as number;
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const isShort = ({ moduleId }: TestSpecification) => !WAITING.some((path) => moduleId.endsWith(path));
    // A worker serves the files of one project, so that they follow each other.
    return files.toSorted(
      (one, other) =>
        groupOf(one) - groupOf(other) ||
        one.project.name.localeCompare(other.project.name) ||
        Number(isShort(one)) - Number(isShort(other)) ||
        placeOf(one) - placeOf(other),
    );
  }
}
