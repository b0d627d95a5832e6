// `POST /api/v1/assignments/:code/start` begins an attempt, or gives an open one again. [contract 21]
import { AppError } from '../errors.ts';
import { newNonce } from '../fairness/seal.ts';
import type { CodeSender, FindServices } from '../lobby/find-lobby.ts';
import type { Services } from '../services.ts';
import { newAttemptId } from '../singleplayer/keys.ts';
import { languagesOf } from '../vocabulary/words.ts';
import { findOpenAttempt, insertAttempt } from './attempt-store.ts';
import { dealQuestions, toResults } from './deal-questions.ts';
import { findAssignment } from './manage-assignments.ts';
import { nextAttempt, type StoredAnswer } from './rules.ts';
import type { Assignment, AttemptSession } from './schema.ts';

type StartServices = FindServices &
  Pick<Services, 'attempts' | 'postgres'> & {
    /** Runs the starts of an assignment in turn, since each of them waits for the same row's lock. */
    inStartTurn<T>(assignmentId: string, work: () => Promise<T>): Promise<T>;
  };

/**
 * How often a start is tried. Each further try means that another start of the same person was faster, that an open
 * attempt was finished, or that the owner has changed the assignment.
 */
const TRIES = 5;

/**
 * @returns the attempt, and whether it has begun by this call
 * @throws AppError ASSIGNMENT_NOT_FOUND, RATE_LIMITED, ASSIGNMENT_CLOSED, ASSIGNMENT_NOT_OPEN, NO_ATTEMPTS_LEFT,
 *   ASSIGNMENT_FULL; UNAUTHENTICATED for a guest who has become an account in this moment
 */
export async function startAttempt(
  deps: StartServices,
  code: string,
  sender: CodeSender,
): Promise<{ session: AttemptSession; isNew: boolean }> {
  for (let tries = 0; tries < TRIES; tries++) {
    const { view, state } = await findAssignment(deps, code, sender);
    const next = nextAttempt(state);
    const session =
      'openId' in next ? await resume(deps, view, next.openId) : await begin(deps, view, sender.userId, next.number);
    if (session) return { session, isNew: 'number' in next };
  }
  throw new AppError('UNAVAILABLE');
}

/** @returns null if the attempt has not begun, as the assignment or the person's attempts have changed */
async function begin(
  deps: StartServices,
  assignment: Assignment,
  userId: string,
  number: number,
): Promise<AttemptSession | null> {
  const { assignmentId } = assignment;
  const attempt = { attemptId: newAttemptId(), number, secret: newNonce() };
  const outcome = await deps.inStartTurn(assignmentId, () =>
    insertAttempt(deps.postgres, { ...attempt, assignmentId, userId }),
  );
  if (outcome === 'no_user') throw new AppError('UNAUTHENTICATED');
  if (outcome === 'full') throw new AppError('ASSIGNMENT_FULL');
  return outcome === 'begun' ? toSession(deps, assignment, { ...attempt, answers: [] }) : null;
}

/** @returns null if the attempt was finished meanwhile */
async function resume(
  deps: Pick<Services, 'attempts' | 'postgres'>,
  assignment: Assignment,
  attemptId: string,
): Promise<AttemptSession | null> {
  const attempt = await findOpenAttempt(deps.postgres, attemptId);
  return attempt && toSession(deps, assignment, { attemptId, ...attempt });
}

/** @returns null if the assignment was deleted meanwhile */
async function toSession(
  { attempts }: Pick<Services, 'attempts'>,
  assignment: Assignment,
  attempt: { attemptId: string; number: number; secret: string; answers: StoredAnswer[] },
): Promise<AttemptSession | null> {
  const questions = await attempts.questionsOf(assignment.assignmentId);
  if (!questions) return null;
  const { attemptId, number, secret, answers } = attempt;
  return {
    sessionId: attemptId,
    expiresAt: assignment.closesAt,
    ...languagesOf(assignment),
    questions: dealQuestions(questions, secret).map(({ question }) => question),
    attempt: number,
    answered: toResults({ sessionId: attemptId, questions, secret }, answers),
  };
}
