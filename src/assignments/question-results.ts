// Counts how an assignment's questions were answered: the share of right answers, and the most frequent mistakes. The
// counts are remembered for as long as nothing changes. [contract 21]
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/postgres/postgres.ts';
import type { PostgresPool } from '../platform/postgres/postgres-pool.ts';
import type { AssignmentResults } from './results-schema.ts';
import { type AnswerCount, countAnswers, findAnswerState, findTexts } from './results-store.ts';
import { optionsOf, type StoredQuestion } from './rules.ts';

/** The number of people whose answers one statement counts, so that neither it nor its reply takes long. */
const PEOPLE_AT_ONCE = 100;
/** The size of the remembered counts as JSON, in UTF-16 units: those of some 200 assignments. */
const MAX_RESULT_UNITS = 2_000_000;
/** The number of different mistakes in a question that are counted. Those that first occur beyond it are not. */
const MAX_MISTAKES = 1000;
/** The number of mistakes that the results name. */
const MOST_WRONG = 3;

type QuestionResult = AssignmentResults['questions'][number];

/** A mistake: the place of an option, or where the text is stored. */
interface Mistake {
  option: number;
  source: string | null;
  count: number;
}

/** What is counted of a question. */
interface Tally {
  right: number;
  answered: number;
  mistakes: Map<string, Mistake>;
}

/** @returns the results of an assignment's questions in their order, as they are now */
export type ReadQuestionResults = (
  assignmentId: string,
  questions: readonly StoredQuestion[],
) => Promise<QuestionResult[]>;

interface CountDeps {
  db: Database;
  postgres: Pick<PostgresPool, 'query'>;
}

export function createQuestionResults({ db, postgres }: CountDeps): ReadQuestionResults {
  const counted = new LRUCache<string, { state: string; results: QuestionResult[] }>({
    maxSize: MAX_RESULT_UNITS,
    sizeCalculation: ({ results }) => JSON.stringify(results).length,
  });
  return async (assignmentId, questions) => {
    // The state is read before the answers, so that counts of later answers are not taken for those of this state.
    const state = await findAnswerState(db, assignmentId);
    const known = counted.get(assignmentId);
    if (known?.state === state) return known.results;
    const results = await countAll(postgres, assignmentId, questions);
    counted.set(assignmentId, { state, results });
    return results;
  };
}

async function countAll(
  postgres: CountDeps['postgres'],
  assignmentId: string,
  questions: readonly StoredQuestion[],
): Promise<QuestionResult[]> {
  const tallies = questions.map((): Tally => ({ right: 0, answered: 0, mistakes: new Map() }));
  for (let after: string | null = null; ; ) {
    const { counts, lastUserId } = await countAnswers(postgres, assignmentId, after, PEOPLE_AT_ONCE);
    for (const count of counts) add(tallies[count[0]], count);
    if (lastUserId === null) break;
    after = lastUserId;
  }
  const most = tallies.map(({ mistakes }) => mostFrequent(mistakes.values()));
  const texts = await findTexts(
    postgres,
    most.flat().flatMap(({ source }) => source ?? []),
  );
  return questions.map((question, at) => {
    const { right, answered } = tallies[at] as Tally;
    const { questionId, prompt, gloss, correctText } = question;
    const options = optionsOf(question);
    const textOf = ({ option, source }: Mistake) => (source === null ? options[option] : texts.get(source));
    return {
      questionId,
      prompt,
      ...(gloss === undefined ? {} : { gloss }),
      correctText,
      rightShare: answered === 0 ? null : right / answered,
      mostWrong: (most[at] ?? []).map((mistake) => ({ text: textOf(mistake) ?? '', count: mistake.count })),
    };
  });
}

function add(tally: Tally | undefined, [, isCorrect, key, source, count]: AnswerCount): void {
  if (!tally) return;
  tally.answered += count;
  if (isCorrect) tally.right += count;
  if (key === null) return;
  const known = tally.mistakes.get(key);
  if (known) known.count += count;
  else if (tally.mistakes.size < MAX_MISTAKES) tally.mistakes.set(key, { option: Number(key), source, count });
}

/** @returns the most frequent mistakes, of equals the first ones. All of them are too many to be sorted in one turn */
function mostFrequent(mistakes: Iterable<Mistake>): Mistake[] {
  const most: Mistake[] = [];
  for (const mistake of mistakes) {
    const at = most.findLastIndex(({ count }) => count >= mistake.count) + 1;
    if (at < MOST_WRONG) most.splice(at, 0, mistake);
    if (most.length > MOST_WRONG) most.pop();
  }
  return most;
}
