// A quiz of what is due first, of a deck or a list that one has learned of. [contract 13]
import { client } from './api.ts';
import { askForQuiz } from './ask-quiz.ts';
import { deckOf } from './deck-choice.ts';
import type { WordsProgress } from './due.ts';
import type { Quiz, QuizSettings } from './quiz-state.ts';

/** @throws ApiError when there are not as many questions, or the list is gone */
export async function askForSmartQuiz(words: WordsProgress, questionCount: number): Promise<Quiz> {
  return askForQuiz(await settingsOf(words, questionCount));
}

async function settingsOf(words: WordsProgress, questionCount: number): Promise<QuizSettings> {
  const settings = { questionCount, order: 'smart' } as const;
  if (!('listId' in words)) return { ...settings, ...deckOf(words) };
  const { listId } = words;
  const { sourceLanguage, targetLanguage } = await client.getList(listId);
  return { ...settings, listId, sourceLanguage, targetLanguage };
}
