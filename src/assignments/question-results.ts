// Counts how an assignment's questions were answered: the share of right answers, and the most frequent mistakes. The
// counts are remembered for as long as nothing changes. [contract 21]
import { LRUCache } from 'lru-cache';
import type { Database } from '../platform/postgres/postgres.ts';
import type { AssignmentResults } from './results-schema.ts';
import { type AnswerCounts, countAnswers, findAnswerState } from './results-store.ts';
import { optionsOf, type StoredQuestion } from './rules.ts';

/** The size of the remembered counts as JSON, in UTF-16 units: those of some 200 assignments. */
const MAX_RESULT_UNITS = 2_000_000;
/** The number of mistakes that the results name. */
const MOST_WRONG = 3;

type QuestionResult = AssignmentResults['questions'][number];

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
    const counts = await countAnswers(db, assignmentId, MOST_WRONG);
    const byPlace = new Map(counts.map((count) => [count.question, count]));
    const results = questions.map((question, at) => toQuestionResult(question, byPlace.get(at)));
    counted.set(assignmentId, { state, results });
    return results;
  };
}

function toQuestionResult(question: StoredQuestion, counts?: AnswerCounts): QuestionResult {
  const { questionId, prompt, gloss, correctText } = question;
  const options = optionsOf(question);
  return {
    ...{ questionId, prompt, ...(gloss === undefined ? {} : { gloss }), correctText },
    rightShare: counts ? counts.right / counts.answered : null,
    mostWrong: (counts?.mistakes ?? []).map(({ option, text, count }) => ({
      text: text ?? options[option ?? 0] ?? '',
      count,
    })),
  };
}
