// Counts how an assignment's questions were answered: the share of right answers, and the most frequent mistakes. The
// answers of ten thousand people take a second, so that the counts are remembered for as long as nothing changes.
// [contract 21]
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/postgres/postgres.ts';
import type { AssignmentResults } from './results-schema.ts';
import { type AnswerCount, countAnswers, findAnswerState } from './results-store.ts';
import { optionsOf, type StoredQuestion } from './rules.ts';

/** The number of people whose answers one statement counts, in some 15 ms for fifty questions. */
const PEOPLE_AT_ONCE = 200;
/** The size of the remembered counts as JSON, in UTF-16 units: those of some 200 assignments. */
const MAX_RESULT_UNITS = 2_000_000;
/** The number of different mistakes in a question that are counted. Those that first occur beyond it are not. */
const MAX_MISTAKES = 1000;
/** The number of mistakes that the results name. */
const MOST_WRONG = 3;

type QuestionResult = AssignmentResults['questions'][number];

/** What is counted of a question. */
interface Tally {
  right: number;
  answered: number;
  /** By the option or the form the mistakes. */
  mistakes: Map<string, { text: string; count: number }>;
}

/** @returns the results of an assignment's questions in their order, as they are now */
export type ReadQuestionResults = (
  assignmentId: string,
  questions: readonly StoredQuestion[],
) => Promise<QuestionResult[]>;

export function createQuestionResults(db: Database): ReadQuestionResults {
  const counted = new LRUCache<string, { state: string; results: QuestionResult[] }>({
    maxSize: MAX_RESULT_UNITS,
    sizeCalculation: ({ results }) => JSON.stringify(results).length,
  });
  return async (assignmentId, questions) => {
    // The state is read before the answers, so that counts of later answers are not taken for those of this state.
    const state = await findAnswerState(db, assignmentId);
    const known = counted.get(assignmentId);
    if (known?.state === state) return known.results;
    const results = await countAll(db, assignmentId, questions);
    counted.set(assignmentId, { state, results });
    return results;
  };
}

async function countAll(
  db: Database,
  assignmentId: string,
  questions: readonly StoredQuestion[],
): Promise<QuestionResult[]> {
  const tallies = questions.map((): Tally => ({ right: 0, answered: 0, mistakes: new Map() }));
  for (let after: string | null = null; ; ) {
    const { counts, lastUserId } = await countAnswers(db, assignmentId, after, PEOPLE_AT_ONCE);
    for (const count of counts) add(tallies[count.question], questions[count.question], count);
    if (lastUserId === null) break;
    after = lastUserId;
  }
  return questions.map((question, place) => toQuestionResult(question, tallies[place] as Tally));
}

function add(
  tally: Tally | undefined,
  question: StoredQuestion | undefined,
  { isCorrect, option, form, text, count }: AnswerCount,
): void {
  if (!tally || !question) return;
  tally.answered += count;
  if (isCorrect) {
    tally.right += count;
    return;
  }
  const key = option === null ? (form ?? '') : `${option}`;
  const known = tally.mistakes.get(key);
  if (known) known.count += count;
  else if (tally.mistakes.size < MAX_MISTAKES)
    tally.mistakes.set(key, { text: text ?? optionsOf(question)[option ?? 0] ?? '', count });
}

function toQuestionResult(
  { questionId, prompt, gloss, correctText }: StoredQuestion,
  { right, answered, mistakes }: Tally,
): QuestionResult {
  const mostWrong = [...mistakes.values()]
    .sort((one, other) => other.count - one.count || (one.text < other.text ? -1 : 1))
    .slice(0, MOST_WRONG);
  return {
    ...{ questionId, prompt, ...(gloss === undefined ? {} : { gloss }), correctText },
    rightShare: answered === 0 ? null : right / answered,
    mostWrong,
  };
}
