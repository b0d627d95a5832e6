// A new quiz for one from the service.
import type { GameRequest } from '../client/types.ts';
import { client } from './api.ts';
import { type Quiz, type QuizSettings, startQuiz } from './quiz-state.ts';

/** @throws ApiError when the service has no such quiz */
export async function askForQuiz(settings: QuizSettings): Promise<Quiz> {
  return startQuiz(settings, await client.startGame(requestOf(settings)));
}

/** A list is asked for by its id alone. [contract 14] */
function requestOf(settings: QuizSettings): GameRequest {
  if (settings.listId === undefined) return settings as GameRequest;
  const { sourceLanguage: _source, targetLanguage: _target, ...request } = settings;
  return request;
}
