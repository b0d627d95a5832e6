// The order of test files: Vitest begins with the largest ones, so that a small one which waits for long would run alone
// at the end.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait, for half a minute or more. */
const WAITING = [
  ...['kills', 'rolling-update', 'room-kill', 'crashed-replica', 'http-slow-requests'].map(
    (name) => `test/system/${name}.test.ts`,
  ),
  ...['accessibility', 'game', 'touch'].map((name) => `test/browser/${name}.test.ts`),
];

/** Begins with the files that wait, and leaves the groups of projects in their order. */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const isShort = ({ moduleId }: TestSpecification) => !WAITING.some((path) => moduleId.endsWith(path));
    return (await super.sort(files)).toSorted(
      (one, other) => groupOf(one) - groupOf(other) || Number(isShort(one)) - Number(isShort(other)),
    );
  }
}
