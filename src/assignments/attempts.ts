// Remembers what an answer needs of its attempt, which never changes: the questions of its assignment, and the secret
// by which they are dealt. So an answer costs one statement, and the questions are read once for a whole class.
import { LRUCache } from 'lru-cache';
import type { PostgresPool } from '../platform/postgres/postgres-pool.ts';
import { type Asked, findAsked, findAttempt } from './attempt-store.ts';
import type { StoredQuestion } from './rules.ts';

/** The number of attempts that a process remembers, of some 300 bytes each. Beyond it the least recently used go. */
const MAX_ATTEMPTS = 20_000;
/** The size of the remembered questions as JSON, in UTF-16 units: some 1,000 assignments of ordinary words. */
const MAX_QUESTION_UNITS = 4_000_000;

/** The unchanging part of an attempt. */
export interface DealtAttempt extends Asked {
  secret: string;
}

/** Both methods throw what PostgreSQL throws. */
export interface Attempts {
  /** @returns null if there is no such attempt, or none any more */
  find(attemptId: string): Promise<DealtAttempt | null>;
  /** @returns null if the assignment was deleted */
  questionsOf(assignmentId: string): Promise<readonly StoredQuestion[] | null>;
}

export function createAttempts(postgres: Pick<PostgresPool, 'query'>): Attempts {
  const attempts = new LRUCache<string, { assignmentId: string; secret: string }>({
    max: MAX_ATTEMPTS,
    fetchMethod: async (attemptId) => (await findAttempt(postgres, attemptId)) ?? undefined,
  });
  const questions = new LRUCache<string, Asked>({
    maxSize: MAX_QUESTION_UNITS,
    sizeCalculation: (stored) => JSON.stringify(stored).length,
    fetchMethod: async (assignmentId) => (await findAsked(postgres, assignmentId)) ?? undefined,
    // Questions that are evicted while they are read are still returned to their callers.
    ignoreFetchAbort: true,
  });
  return {
    questionsOf: async (assignmentId) => (await questions.fetch(assignmentId))?.questions ?? null,
    async find(attemptId) {
      const attempt = await attempts.fetch(attemptId);
      const asked = attempt && (await questions.fetch(attempt.assignmentId));
      return asked ? { ...asked, secret: attempt.secret } : null;
    },
  };
}
