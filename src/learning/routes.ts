// The handlers of a user's progress and words. [contract 13]
import { AppError } from '../errors.ts';
import { type Route, route } from '../http/operation.ts';
import type { Services } from '../services.ts';
import { listWords } from './list-words.ts';
import { operations } from './operations.ts';
import { findCalendar, findProgress } from './progress.ts';

export function learningRoutes(services: Services): Route[] {
  async function suspend(userId: string, wordId: string, isSuspended: boolean): Promise<void> {
    const where = { userId, word: wordId };
    const { count } = await services.db.learnedWord.updateMany({ where, data: { suspended: isSuspended } });
    if (count === 0) throw new AppError('WORD_NOT_FOUND');
  }
  return [
    route(operations.getProgress, ({ user, query }) => findProgress(services, user.id, query.timeZone)),
    route(operations.getCalendar, ({ user, query }) => findCalendar(services, user.id, query.timeZone)),
    route(operations.getWords, ({ user, query }) => listWords(services, user.id, query)),
    route(operations.suspendWord, ({ user, params }) => suspend(user.id, params.wordId, true)),
    route(operations.resumeWord, ({ user, params }) => suspend(user.id, params.wordId, false)),
  ];
}
