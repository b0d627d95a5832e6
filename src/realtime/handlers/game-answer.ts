// `game:answer` stores a player's answer. [contract 5.4]
import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { submitAnswer } from '../../match/submit-answer.ts';
import { answerOf } from '../../vocabulary/typed/schema.ts';
import type { Connection } from '../connection.ts';
import type { MessageOf } from '../schema.ts';
import type { HandlerDeps } from './handler.ts';

/** @throws AppError NOT_IN_GAME, ROUND_CLOSED, VALIDATION_FAILED for the answer of another mode, ALREADY_ANSWERED */
export async function answerGame(
  deps: HandlerDeps,
  connection: Connection,
  { questionId, ...fields }: MessageOf<'game:answer'>,
): Promise<void> {
  const lobbyId = deps.rooms.lobbyOf(connection);
  if (!lobbyId) throw new AppError('NOT_IN_GAME');
  const { userId } = connection;
  const answer = answerOf(fields);
  await submitAnswer(deps, lobbyId, { userId, questionId, answer, token: randomUUID() });
}
