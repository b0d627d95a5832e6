// The operations of the service, which index.ts makes methods of. Printed by print.ts.
import type { CallOptions } from './http.ts';
import type * as types from './types.ts';

/** The method of each operation, and its path below /api/v1. */
export const OPERATIONS = {
  getAccount: 'GET account',
  updateAccount: 'PATCH account',
  exportAccount: 'GET account/export',
  deleteSession: 'DELETE account/sessions/:sessionId',
  getAssignments: 'GET assignments',
  createAssignment: 'POST assignments',
  deleteAssignment: 'DELETE assignments/:code',
  getAssignment: 'GET assignments/:code',
  updateAssignment: 'PATCH assignments/:code',
  deleteGuests: 'DELETE assignments/:code/people?isGuest=true',
  deletePerson: 'DELETE assignments/:code/people/:userId',
  getAssignmentResults: 'GET assignments/:code/results',
  startAssignment: 'POST assignments/:code/start',
  getBegunAssignments: 'GET assignments/begun',
  answerQuestion: 'POST game/answer',
  startGame: 'POST game/start',
  listGames: 'GET games',
  getGame: 'GET games/:gameId',
  createGuest: 'POST guests',
  getInvitation: 'GET invitations/:code',
  getLists: 'GET lists',
  createList: 'POST lists',
  deleteList: 'DELETE lists/:listId',
  getList: 'GET lists/:listId',
  replaceList: 'PUT lists/:listId',
  getLobbies: 'GET lobbies',
  createLobby: 'POST lobbies',
  getLobby: 'GET lobbies/:code',
  joinLobby: 'POST lobbies/:code/join',
  sendMessage: 'POST lobbies/:code/messages',
  listPlayers: 'GET lobbies/:code/players',
  getProgress: 'GET progress',
  getCalendar: 'GET progress/calendar',
  getVocabulary: 'GET vocabulary',
  getWords: 'GET words',
  resumeWord: 'DELETE words/:wordId/suspension',
  suspendWord: 'PUT words/:wordId/suspension',
};

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export interface Operations {
  /** Read your account. */
  getAccount(options?: CallOptions): Promise<types.Account>;
  /** Change the language of your mails. */
  updateAccount(request: types.AccountChange, options?: CallOptions): Promise<types.Account>;
  /** Download all that is stored of you. */
  exportAccount(options?: CallOptions): Promise<types.AccountExport>;
  /** Sign out a device. */
  deleteSession(sessionId: string, options?: CallOptions): Promise<void>;
  /** See your assignments. */
  getAssignments(
    query?: { limit?: number | undefined; before?: string | undefined },
    options?: CallOptions,
  ): Promise<types.Assignments>;
  /**
   * Create an assignment.
   * @throws ApiError ACCOUNT_NEEDED, GAME_NOT_FOUND, LIST_NOT_FOUND, TOO_MANY_ASSIGNMENTS, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
   */
  createAssignment(request: types.CreateAssignmentRequest, options?: CallOptions): Promise<types.Assignment>;
  /** Delete an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deleteAssignment(code: string, options?: CallOptions): Promise<void>;
  /** Read an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  getAssignment(code: string, options?: CallOptions): Promise<types.Assignment>;
  /** Change an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  updateAssignment(
    code: string,
    request?: types.ChangeAssignmentRequest,
    options?: CallOptions,
  ): Promise<types.Assignment>;
  /** Remove all guests from an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deleteGuests(code: string, options?: CallOptions): Promise<void>;
  /** Remove a person from an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deletePerson(code: string, userId: string, options?: CallOptions): Promise<void>;
  /** Read the results of an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  getAssignmentResults(
    code: string,
    query?: { limit?: number | undefined; after?: string | undefined },
    options?: CallOptions,
  ): Promise<types.AssignmentResults>;
  /**
   * Start an attempt.
   * @throws ApiError ASSIGNMENT_NOT_FOUND, ASSIGNMENT_NOT_OPEN, ASSIGNMENT_CLOSED, NO_ATTEMPTS_LEFT, ASSIGNMENT_FULL
   */
  startAssignment(code: string, options?: CallOptions): Promise<types.AttemptSession>;
  /** See the assignments that you have begun. */
  getBegunAssignments(
    query?: { limit?: number | undefined; before?: string | undefined },
    options?: CallOptions,
  ): Promise<types.Assignments>;
  /**
   * Answer a question.
   * @throws ApiError IDEMPOTENCY_KEY_REUSED, SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND, QUESTION_ALREADY_ANSWERED, ASSIGNMENT_CLOSED
   */
  answerQuestion(request: types.AnswerRequest, options?: CallOptions): Promise<types.AnswerResult>;
  /** Start a quiz. @throws ApiError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS */
  startGame(request?: types.GameRequest, options?: CallOptions): Promise<types.GameSession>;
  /** See your finished games. */
  listGames(
    query?: { limit?: number | undefined; before?: string | undefined },
    options?: CallOptions,
  ): Promise<types.GameList>;
  /** Read the result of a finished game. @throws ApiError GAME_NOT_FOUND */
  getGame(gameId: string, options?: CallOptions): Promise<types.GameResult>;
  /** Play as a guest. @throws ApiError LOBBY_NOT_FOUND */
  createGuest(request?: types.GuestRequest, options?: CallOptions): Promise<types.Guest>;
  /** Ask whether a code can be entered. @throws ApiError LOBBY_NOT_FOUND */
  getInvitation(code: string, options?: CallOptions): Promise<types.Invitation>;
  /** See your lists. */
  getLists(options?: CallOptions): Promise<types.WordLists>;
  /** Create a list. @throws ApiError ACCOUNT_NEEDED, TOO_MANY_LISTS, LISTS_TOO_LARGE */
  createList(request: types.ListRequest, options?: CallOptions): Promise<types.WordList>;
  /** Delete a list. @throws ApiError LIST_NOT_FOUND */
  deleteList(listId: string, options?: CallOptions): Promise<void>;
  /** Read a list. @throws ApiError LIST_NOT_FOUND */
  getList(listId: string, options?: CallOptions): Promise<types.WordListWithTerms>;
  /** Replace a list. @throws ApiError LIST_NOT_FOUND, LISTS_TOO_LARGE */
  replaceList(listId: string, request: types.ListRequest, options?: CallOptions): Promise<types.WordList>;
  /** See your lobbies. */
  getLobbies(options?: CallOptions): Promise<types.JoinedLobbies>;
  /** Create a lobby. @throws ApiError LIST_NOT_FOUND */
  createLobby(request?: types.CreateLobbyRequest, options?: CallOptions): Promise<types.Lobby>;
  /** Read a lobby. @throws ApiError LOBBY_NOT_FOUND, NOT_A_MEMBER */
  getLobby(code: string, options?: CallOptions): Promise<types.Lobby>;
  /** Join a lobby. @throws ApiError LOBBY_NOT_FOUND, KICKED, LOBBY_NOT_WAITING, LOBBY_LOCKED, LOBBY_FULL */
  joinLobby(code: string, options?: CallOptions): Promise<types.Lobby>;
  /**
   * Send a message to a lobby where WebSockets do not get through.
   * @throws ApiError LOBBY_NOT_FOUND, KICKED, NOT_A_MEMBER, NOT_HOST, LOBBY_NOT_WAITING, NOT_ENOUGH_PLAYERS, LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS, NOT_IN_GAME, ROUND_CLOSED, ALREADY_ANSWERED, LOBBY_FULL, PLAYER_NOT_FOUND, LOBBY_NOT_FINISHED
   */
  sendMessage(
    code: string,
    request: types.RequestMessage,
    options?: CallOptions,
  ): Promise<types.ShownMessages | undefined>;
  /** List the players of a lobby. @throws ApiError LOBBY_NOT_FOUND, NOT_A_MEMBER */
  listPlayers(
    code: string,
    query?: { limit?: number | undefined; after?: string | undefined },
    options?: CallOptions,
  ): Promise<types.PlayerPage>;
  /** Read what you have learned. */
  getProgress(query?: { timeZone?: string | undefined }, options?: CallOptions): Promise<types.Progress>;
  /** Read when you have learned. */
  getCalendar(query?: { timeZone?: string | undefined }, options?: CallOptions): Promise<types.Calendar>;
  /** List the decks. */
  getVocabulary(options?: CallOptions): Promise<types.Vocabulary>;
  /** See which words you know. @throws ApiError LIST_NOT_FOUND */
  getWords(
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
    options?: CallOptions,
  ): Promise<types.WordPage>;
  /** Resume a suspended word. @throws ApiError WORD_NOT_FOUND */
  resumeWord(wordId: string, options?: CallOptions): Promise<void>;
  /** Suspend a word. @throws ApiError WORD_NOT_FOUND */
  suspendWord(wordId: string, options?: CallOptions): Promise<void>;
}
