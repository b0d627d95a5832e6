// The order of test files: first those that wait for long, since they would run alone at the end, then all others by
// chance, so that a test which needs what another one left behind is found.
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { createRandom } from '../../src/tools/prove/random.ts';

/** Files that mostly wait, for half a minute or more. */
const WAITING = [
  ...['chaos', 'dripping-peers', 'rolling-update'].map((name) => `test/system/${name}.test.ts`),
  ...['accessibility', 'game', 'touch'].map((name) => `test/browser/${name}.test.ts`),
];

/**
 * Shuffles the files of a project, after those that wait. It prints the seed; `--sequence.seed=N` repeats an order.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    this.ctx.logger.log(`The order of the files has the seed ${seed}.\n`);
    const random = createRandom(seed);
    const places = new Map(files.toSorted(byPath).map((file) => [file, random.next()]));
    const placeOf = (file: TestSpecification) => places.get(file) as number;
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

function byPath(one: TestSpecification, other: TestSpecification): number {
  const [path, otherPath] = [one, other].map(({ project, moduleId }) => `${project.name} ${moduleId}`) as [
    string,
    string,
  ];
  return path < otherPath ? -1 : 1;
}
