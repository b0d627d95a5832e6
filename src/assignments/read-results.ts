// The owner reads who has answered what: pages of people with counts of each question, or a table of all. [contract 21]
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { CodeSender, FindServices } from '../lobby/find-lobby.ts';
import { csvHeader, csvLines } from '../platform/csv.ts';
import { inPages, type Postgres } from '../platform/postgres/postgres.ts';
import type { Services } from '../services.ts';
import { findOwnAssignment } from './manage-assignments.ts';
import * as stored from './results-store.ts';
import type { StoredQuestion } from './rules.ts';
import { type AssignmentResults, type PersonCursor, personCursor } from './schema.ts';
import type { FoundAssignment } from './store.ts';

type ResultsServices = FindServices & Pick<Services, 'attempts'>;

/** The number of people whose answers are read or counted at once, in some milliseconds for fifty questions. */
const PEOPLE_AT_ONCE = 100;

/** @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED */
export async function readResults(
  deps: ResultsServices & { readQuestionResults: ReadQuestionResults },
  code: string,
  sender: CodeSender,
  { limit, after }: { limit: number; after?: PersonCursor | undefined },
): Promise<AssignmentResults> {
  const { found, questions, assignmentId } = await findWithQuestions(deps, code, sender);
  const people = await stored.findPeople(deps.db, assignmentId, { limit: limit + 1, after });
  const { items, next } = personCursor.toPage(people, limit, ({ name, userId }) => [name, userId]);
  return {
    assignment: found.view,
    people: items.map((person) => toPerson(found, person)),
    questions: await deps.readQuestionResults(assignmentId, questions),
    next,
  };
}

/** @returns an assignment of the user's own with its questions */
async function findWithQuestions(deps: ResultsServices, code: string, sender: CodeSender) {
  const found = await findOwnAssignment(deps, code, sender);
  const questions = await deps.attempts.questionsOf(found.view.assignmentId);
  if (!questions) throw new AppError('ASSIGNMENT_NOT_FOUND');
  return { found, questions, assignmentId: found.view.assignmentId };
}

type StoredAttempt = stored.StoredPerson['attempts'][number];

function toPerson({ view, state }: FoundAssignment, { attempts, ...person }: stored.StoredPerson) {
  const total = view.questionCount;
  const best = bestOf(attempts, state);
  return {
    ...person,
    attempts: attempts.map((attempt) => ({
      attempt: attempt.number,
      startedAt: attempt.startedAt.toISOString(),
      finishedAt: endOf(attempt, view.closesAt, state.isClosed),
      correct: attempt.correct,
      answered: attempt.answered,
      total,
    })),
    best: best ? { correct: best.correct, total } : null,
  };
}

/** @returns when the attempt was finished, by its last answer or by the closing; null while it is open */
function endOf({ finishedAt }: StoredAttempt, closesAt: string, isClosed: boolean): string | null {
  return finishedAt?.toISOString() ?? (isClosed ? closesAt : null);
}

/**
 * @returns the best of the finished attempts that the assignment allows, of equals the first one. Those beyond, which a
 *   guest's attempts may become, give nobody a better mark
 */
function bestOf(attempts: readonly StoredAttempt[], { isClosed, attempts: allowed }: FoundAssignment['state']) {
  return attempts
    .filter(({ number, finishedAt }) => number <= allowed && (isClosed || finishedAt !== null))
    .toSorted((one, other) => other.correct - one.correct)[0];
}

/** @returns the parts of the table, with a line for each person. @throws as `readResults`, before the first part */
export async function* tableOf(deps: ResultsServices, code: string, sender: CodeSender): AsyncGenerator<string> {
  const { found, questions, assignmentId } = await findWithQuestions(deps, code, sender);
  const { view, state } = found;
  const columns = ['player', 'userId', 'attempts', 'bestCorrect', 'total', 'finishedAt'];
  yield csvHeader([...columns, ...questions.map(({ prompt }) => prompt)]);
  const pages = inPages<stored.StoredPerson>(PEOPLE_AT_ONCE, (last) =>
    stored.findPeople(deps.db, assignmentId, { limit: PEOPLE_AT_ONCE, after: last && [last.name, last.userId] }),
  );
  for await (const people of pages) {
    const rated = people.map((person) => ({ ...person, best: bestOf(person.attempts, state) }));
    const ids = rated.flatMap(({ best }) => best?.id ?? []);
    const marks = await stored.findMarks(deps.db, ids);
    const lines = rated.map(({ name, userId, attempts, best }) => {
      const end = best && endOf(best, view.closesAt, state.isClosed);
      const ofBest = marks.get(best?.id ?? '') ?? {};
      // 1 for a right answer, 0 for a wrong one, and nothing without an answer.
      const cells = questions.map((_, place) => (place in ofBest ? Number(ofBest[place]) : undefined));
      return [name, userId, attempts.length, best?.correct, view.questionCount, end, ...cells];
    });
    yield csvLines(lines);
  }
}

/** The size of the remembered counts as JSON, in UTF-16 units: those of some 200 assignments. */
const MAX_RESULT_UNITS = 2_000_000;
/** The number of different mistakes in a question that are counted. Those that first occur beyond it are not. */
const MAX_MISTAKES = 1000;
/** The number of mistakes that the results name. */
const MOST_WRONG = 3;

/** A mistake: the place of an option, or where the text is stored. */
interface Mistake {
  option: number;
  source: string | null;
  count: number;
}

type Tally = ReturnType<typeof newTally>;
const newTally = () => ({ right: 0, answered: 0, mistakes: new Map<string, Mistake>() });

type ReadQuestionResults = ReturnType<typeof createQuestionResults>;

/** @returns a function that returns the results of an assignment's questions in their order, as they are now */
export function createQuestionResults({ db, postgres }: Pick<Services, 'db' | 'postgres'>) {
  const counted = new LRUCache<string, { state: string; results: AssignmentResults['questions'] }>({
    maxSize: MAX_RESULT_UNITS,
    sizeCalculation: ({ results }) => JSON.stringify(results).length,
  });
  return async (assignmentId: string, questions: readonly StoredQuestion[]) => {
    // The state is read before the answers, so that counts of later answers are not taken for those of this state.
    const state = await stored.findAnswerState(db, assignmentId);
    const known = counted.get(assignmentId);
    if (known?.state === state) return known.results;
    const results = await countAll(postgres, assignmentId, questions);
    counted.set(assignmentId, { state, results });
    return results;
  };
}

async function countAll(postgres: Postgres, assignmentId: string, questions: readonly StoredQuestion[]) {
  const tallies = questions.map(newTally);
  let after: string | null = null;
  do {
    const { counts, lastUserId } = await stored.countAnswers(postgres, assignmentId, after, PEOPLE_AT_ONCE);
    for (const count of counts) add(tallies[count[0]], count);
    after = lastUserId;
  } while (after !== null);
  const most = tallies.map(({ mistakes }) => mostFrequent(mistakes.values()));
  const sources = most.flat().flatMap(({ source }) => source ?? []);
  const typed = await stored.findTexts(postgres, sources);
  return questions.map((question, at) => {
    const { right, answered } = tallies[at] as Tally;
    const { questionId, prompt, gloss, texts } = question;
    const textOf = ({ option, source }: Mistake) => (source === null ? texts[option] : typed.get(source));
    return {
      questionId,
      prompt,
      ...(gloss !== undefined && { gloss }),
      correctText: texts[0] ?? '',
      rightShare: answered === 0 ? null : right / answered,
      mostWrong: (most[at] ?? []).map((mistake) => ({ text: textOf(mistake) ?? '', count: mistake.count })),
    };
  });
}

function add(tally: Tally | undefined, [, isCorrect, key, source, count]: stored.AnswerCount): void {
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
