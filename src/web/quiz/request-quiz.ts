// Requests a new quiz from the service; a smart quiz asks due words first. [contract 13]
import type { GameRequest } from '../../client/types.ts';
import { client } from '../api.ts';
import type { WordsProgress } from '../progress/due.ts';
import { deckOf, wordsOfList } from '../words/deck-choice.ts';
import { type Quiz, type QuizSettings, startQuiz } from './quiz-state.ts';

/** @throws ApiError if the words have too few questions, or the list is gone */
export async function requestQuiz(settings: QuizSettings): Promise<Quiz> {
  return startQuiz(settings, await client.startGame(requestOf(settings)));
}

/** @throws ApiError if there are fewer questions, or the list is gone */
export async function requestSmartQuiz(
  words: WordsProgress,
  questionCount: number,
  answerMode: QuizSettings['answerMode'],
): Promise<Quiz> {
  const settings = { questionCount, answerMode, order: 'smart' } as const;
  return requestQuiz({ ...settings, ...(await wordsOf(words)) });
}

async function wordsOf(words: WordsProgress): Promise<QuizSettings> {
  if (!('listId' in words)) return deckOf(words);
  const { selection, direction } = wordsOfList(await client.getList(words.listId), words.reverse ?? false);
  return { ...direction, ...selection };
}

/** Omits the languages of a list, which is named by its id only. [contract 14] */
function requestOf(settings: QuizSettings): GameRequest {
  if (settings.listId === undefined) return settings as GameRequest;
  const { sourceLanguage: _source, targetLanguage: _target, ...request } = settings;
  return request;
}
