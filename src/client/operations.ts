// The operations of the service, which index.ts makes methods of. Printed by build.ts.
import type { Methods, Operation, Page } from './http.ts';
import type * as types from './types.ts';

export const OPERATIONS = {
  getAccount: 'GET account' as Operation<[], types.Account>,
  updateAccount: 'PATCH account' as Operation<[request: types.AccountChange], types.Account>,
  exportAccount: 'GET account/export' as Operation<[], types.AccountExport>,
  deleteSession: 'DELETE account/sessions/:sessionId' as Operation<[sessionId: string], void>,
  getAssignments: 'GET assignments' as Operation<[query?: Page<'before'>], types.Assignments>,
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
    [code: string, query?: Page<'after'>],
    types.AssignmentResults
  >,
  startAssignment: 'POST assignments/:code/start' as Operation<[code: string], types.AttemptSession>,
  getBegunAssignments: 'GET assignments/begun' as Operation<[query?: Page<'before'>], types.Assignments>,
  answerQuestion: 'POST game/answer' as Operation<[request: types.AnswerRequest], types.AnswerResult>,
  startGame: 'POST game/start' as Operation<[request?: types.GameRequest], types.GameSession>,
  listGames: 'GET games' as Operation<[query?: Page<'before'>], types.GameList>,
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
  listPlayers: 'GET lobbies/:code/players' as Operation<[code: string, query?: Page<'after'>], types.PlayerPage>,
  getProgress: 'GET progress' as Operation<[query?: types.ProgressQuery], types.Progress>,
  getCalendar: 'GET progress/calendar' as Operation<[query?: types.ProgressQuery], types.Calendar>,
  getVocabulary: 'GET vocabulary' as Operation<[], types.Vocabulary>,
  getWords: 'GET words' as Operation<[query?: types.WordsQuery], types.WordPage>,
  resumeWord: 'DELETE words/:wordId/suspension' as Operation<[wordId: string], void>,
  suspendWord: 'PUT words/:wordId/suspension' as Operation<[wordId: string], void>,
};

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export type Operations = Methods<typeof OPERATIONS>;
