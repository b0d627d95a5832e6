// The operations of the service, which index.ts makes methods of. Printed by build.ts.
import type { CallOptions } from './http.ts';
import type * as types from './types.ts';

/** An operation's HTTP method, and its path below /api/v1; and the types of its method's parameters and reply. */
type Operation<Parameters extends unknown[], Reply> = string & { types?: [Parameters, Reply] };

export const OPERATIONS = {
  getAccount: 'GET account' as Operation<[], types.Account>,
  updateAccount: 'PATCH account' as Operation<[request: types.AccountChange], types.Account>,
  exportAccount: 'GET account/export' as Operation<[], types.AccountExport>,
  deleteSession: 'DELETE account/sessions/:sessionId' as Operation<[sessionId: string], void>,
  getAssignments: 'GET assignments' as Operation<
    [query?: { limit?: number | undefined; before?: string | undefined }],
    types.Assignments
  >,
  createAssignment: 'POST assignments' as Operation<[request: types.CreateAssignmentRequest], types.Assignment>,
  deleteAssignment: 'DELETE assignments/:code' as Operation<[code: string], void>,
  getAssignment: 'GET assignments/:code' as Operation<[code: string], types.Assignment>,
  updateAssignment: 'PATCH assignments/:code' as Operation<
    [code: string, request?: types.ChangeAssignmentRequest],
    types.Assignment
  >,
  deleteGuests: 'DELETE assignments/:code/people?isGuest=true' as Operation<[code: string], void>,
  deletePerson: 'DELETE assignments/:code/people/:userId' as Operation<[code: string, userId: string], void>,
  getAssignmentResults: 'GET assignments/:code/results' as Operation<
    [code: string, query?: { limit?: number | undefined; after?: string | undefined }],
    types.AssignmentResults
  >,
  startAssignment: 'POST assignments/:code/start' as Operation<[code: string], types.AttemptSession>,
  getBegunAssignments: 'GET assignments/begun' as Operation<
    [query?: { limit?: number | undefined; before?: string | undefined }],
    types.Assignments
  >,
  answerQuestion: 'POST game/answer' as Operation<[request: types.AnswerRequest], types.AnswerResult>,
  startGame: 'POST game/start' as Operation<[request?: types.GameRequest], types.GameSession>,
  listGames: 'GET games' as Operation<
    [query?: { limit?: number | undefined; before?: string | undefined }],
    types.GameList
  >,
  getGame: 'GET games/:gameId' as Operation<[gameId: string], types.GameResult>,
  createGuest: 'POST guests' as Operation<[request?: types.GuestRequest], types.Guest>,
  getInvitation: 'GET invitations/:code' as Operation<[code: string], types.Invitation>,
  getLists: 'GET lists' as Operation<[], types.WordLists>,
  createList: 'POST lists' as Operation<[request: types.ListRequest], types.WordList>,
  deleteList: 'DELETE lists/:listId' as Operation<[listId: string], void>,
  getList: 'GET lists/:listId' as Operation<[listId: string], types.WordListWithTerms>,
  replaceList: 'PUT lists/:listId' as Operation<[listId: string, request: types.ListRequest], types.WordList>,
  getLobbies: 'GET lobbies' as Operation<[], types.JoinedLobbies>,
  createLobby: 'POST lobbies' as Operation<[request?: types.CreateLobbyRequest], types.Lobby>,
  getLobby: 'GET lobbies/:code' as Operation<[code: string], types.Lobby>,
  joinLobby: 'POST lobbies/:code/join' as Operation<[code: string], types.Lobby>,
  sendMessage: 'POST lobbies/:code/messages' as Operation<
    [code: string, request: types.RequestMessage],
    types.ShownMessages | undefined
  >,
  listPlayers: 'GET lobbies/:code/players' as Operation<
    [code: string, query?: { limit?: number | undefined; after?: string | undefined }],
    types.PlayerPage
  >,
  getProgress: 'GET progress' as Operation<[query?: { timeZone?: string | undefined }], types.Progress>,
  getCalendar: 'GET progress/calendar' as Operation<[query?: { timeZone?: string | undefined }], types.Calendar>,
  getVocabulary: 'GET vocabulary' as Operation<[], types.Vocabulary>,
  getWords: 'GET words' as Operation<
    [
      query?: {
        pos?: 'noun' | 'verb' | 'adjective' | 'adverb' | undefined;
        sourceLanguage?: 'en' | 'it' | 'es' | 'fr' | 'de' | undefined;
        targetLanguage?: 'en' | 'it' | 'es' | 'fr' | 'de' | undefined;
        difficulty?: 'A1' | 'A2' | 'B1' | 'B2' | 'C1' | 'C2' | undefined;
        topic?: string | undefined;
        listId?: string | undefined;
        reverse?: 'true' | 'false' | undefined;
        state?: 'new' | 'learning' | 'known' | 'suspended' | undefined;
        search?: string | undefined;
        limit?: number | undefined;
        after?: string | undefined;
      },
    ],
    types.WordPage
  >,
  resumeWord: 'DELETE words/:wordId/suspension' as Operation<[wordId: string], void>,
  suspendWord: 'PUT words/:wordId/suspension' as Operation<[wordId: string], void>,
};

type Method<Row> =
  Row extends Operation<infer Parameters, infer Reply>
    ? (...args: [...Parameters, options?: CallOptions]) => Promise<Reply>
    : never;

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export type Operations = { [Id in keyof typeof OPERATIONS]: Method<(typeof OPERATIONS)[Id]> };
