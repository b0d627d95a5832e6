// The operations of decks and of users' lists. [contract 3, 14]
import { z } from 'zod';
import { BUDGETS } from '../budgets.ts';
import { describeOperations } from '../http/operation.ts';
import { LISTS_ROOM, ListParams, ListRequest, WordList, WordLists, WordListWithTerms } from './lists/schema.ts';
import { Vocabulary } from './schema.ts';

export const operations = describeOperations(
  { tag: 'Lists', access: 'user', limit: 'game', load: 'new' },
  {
    getVocabulary: {
      at: 'GET /api/v1/vocabulary',
      tag: 'Vocabulary',
      summary: 'List the decks',
      description: 'Lists the decks that have terms, with the numbers of their terms and questions.',
      cacheControl: 'private, max-age=300',
      replies: { 200: Vocabulary },
    },

    getLists: { at: 'GET /api/v1/lists', summary: 'See your lists', replies: { 200: WordLists } },

    getList: {
      at: 'GET /api/v1/lists/:listId',
      summary: 'Read a list',
      description: 'You can read your own lists and shared ones.',
      params: ListParams,
      replies: { 200: WordListWithTerms },
      refusals: ['LIST_NOT_FOUND'],
    },

    createList: {
      at: 'POST /api/v1/lists',
      summary: 'Create a list',
      description: `A quiz or a game can name the list’s id instead of a deck. You can have at most ${BUDGETS.lists.max} lists, with ${LISTS_ROOM} together.`,
      body: ListRequest,
      bodyLimit: BUDGETS.listBody.max,
      isBodyRaw: true,
      replies: { 201: WordList },
      location: '/api/v1/lists/:listId',
      refusals: ['ACCOUNT_NEEDED', 'TOO_MANY_LISTS', 'LISTS_TOO_LARGE'],
    },

    replaceList: {
      at: 'PUT /api/v1/lists/:listId',
      summary: 'Replace a list',
      description: 'The request replaces the whole list. Without `shared` the list is private.',
      params: ListParams,
      body: ListRequest,
      bodyLimit: BUDGETS.listBody.max,
      isBodyRaw: true,
      replies: { 200: WordList },
      refusals: ['LIST_NOT_FOUND', 'LISTS_TOO_LARGE'],
    },

    deleteList: {
      at: 'DELETE /api/v1/lists/:listId',
      summary: 'Delete a list',
      description: 'Running games and quizzes continue.',
      params: ListParams,
      replies: { 204: z.null() },
      refusals: ['LIST_NOT_FOUND'],
    },
  },
);
