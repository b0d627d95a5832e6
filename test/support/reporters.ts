// The reporters of a test run. On CI each run also writes a report, from which .ci/run counts tests, and repeats the
// files that failed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

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
      const [passed, failed] = ['passed', 'failed'].map(
        (state) => [...module.children.allTests()].filter((test) => test.result().state === state).length,
      ) as [number, number];
      return {
        config,
        project: module.project.name,
        file: relative(root, module.moduleId),
        ms: module.diagnostic().duration,
        passed,
        // A file that could not be loaded, or whose hooks failed, counts as a failure too.
        failed: failed || Number(module.state() === 'failed'),
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
