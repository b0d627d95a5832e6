// The operations of the service, which client.ts makes methods of. Printed by print.ts.
import type {
  Account,
  AccountChange,
  AccountExport,
  AnswerRequest,
  AnswerResult,
  Assignment,
  AssignmentResults,
  Assignments,
  AttemptSession,
  Calendar,
  ChangeAssignmentRequest,
  CreateAssignmentRequest,
  CreateLobbyRequest,
  GameList,
  GameRequest,
  GameResult,
  GameSession,
  Guest,
  GuestRequest,
  Invitation,
  JoinedLobbies,
  ListRequest,
  Lobby,
  PlayerPage,
  Progress,
  RequestMessage,
  ShownMessages,
  Vocabulary,
  WordList,
  WordLists,
  WordListWithTerms,
  WordPage,
} from './types.ts';

/** The method and the path of each operation. */
export const OPERATIONS = {
  getAccount: 'GET /api/v1/account',
  updateAccount: 'PATCH /api/v1/account',
  exportAccount: 'GET /api/v1/account/export',
  deleteSession: 'DELETE /api/v1/account/sessions/:sessionId',
  getAssignments: 'GET /api/v1/assignments',
  createAssignment: 'POST /api/v1/assignments',
  deleteAssignment: 'DELETE /api/v1/assignments/:code',
  getAssignment: 'GET /api/v1/assignments/:code',
  updateAssignment: 'PATCH /api/v1/assignments/:code',
  deleteGuests: 'DELETE /api/v1/assignments/:code/people?isGuest=true',
  deletePerson: 'DELETE /api/v1/assignments/:code/people/:userId',
  getAssignmentResults: 'GET /api/v1/assignments/:code/results',
  startAssignment: 'POST /api/v1/assignments/:code/start',
  getBegunAssignments: 'GET /api/v1/assignments/begun',
  answerQuestion: 'POST /api/v1/game/answer',
  startGame: 'POST /api/v1/game/start',
  listGames: 'GET /api/v1/games',
  getGame: 'GET /api/v1/games/:gameId',
  createGuest: 'POST /api/v1/guests',
  getInvitation: 'GET /api/v1/invitations/:code',
  getLists: 'GET /api/v1/lists',
  createList: 'POST /api/v1/lists',
  deleteList: 'DELETE /api/v1/lists/:listId',
  getList: 'GET /api/v1/lists/:listId',
  replaceList: 'PUT /api/v1/lists/:listId',
  getLobbies: 'GET /api/v1/lobbies',
  createLobby: 'POST /api/v1/lobbies',
  getLobby: 'GET /api/v1/lobbies/:code',
  joinLobby: 'POST /api/v1/lobbies/:code/join',
  sendMessage: 'POST /api/v1/lobbies/:code/messages',
  listPlayers: 'GET /api/v1/lobbies/:code/players',
  getProgress: 'GET /api/v1/progress',
  getCalendar: 'GET /api/v1/progress/calendar',
  getVocabulary: 'GET /api/v1/vocabulary',
  getWords: 'GET /api/v1/words',
  resumeWord: 'DELETE /api/v1/words/:wordId/suspension',
  suspendWord: 'PUT /api/v1/words/:wordId/suspension',
};

/** Every method throws an `ApiError` when it is refused, or when there is no network. */
export interface Operations {
  /** Read your account. */
  getAccount(): Promise<Account>;
  /** Change the language of your mails. */
  updateAccount(request: AccountChange): Promise<Account>;
  /** Download all that is stored of you. */
  exportAccount(): Promise<AccountExport>;
  /** Sign out a device. */
  deleteSession(sessionId: string): Promise<void>;
  /** See your assignments. */
  getAssignments(query?: { limit?: number | undefined; before?: string | undefined }): Promise<Assignments>;
  /**
   * Create an assignment.
   * @throws ApiError ACCOUNT_NEEDED, GAME_NOT_FOUND, LIST_NOT_FOUND, TOO_MANY_ASSIGNMENTS, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS
   */
  createAssignment(request: CreateAssignmentRequest): Promise<Assignment>;
  /** Delete an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deleteAssignment(code: string): Promise<void>;
  /** Read an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  getAssignment(code: string): Promise<Assignment>;
  /** Change an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  updateAssignment(code: string, request?: ChangeAssignmentRequest): Promise<Assignment>;
  /** Remove all guests from an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deleteGuests(code: string): Promise<void>;
  /** Remove a person from an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  deletePerson(code: string, userId: string): Promise<void>;
  /** Read the results of an assignment. @throws ApiError ASSIGNMENT_NOT_FOUND */
  getAssignmentResults(
    code: string,
    query?: { limit?: number | undefined; after?: string | undefined },
  ): Promise<AssignmentResults>;
  /**
   * Start an attempt.
   * @throws ApiError ASSIGNMENT_NOT_FOUND, ASSIGNMENT_NOT_OPEN, ASSIGNMENT_CLOSED, NO_ATTEMPTS_LEFT, ASSIGNMENT_FULL
   */
  startAssignment(code: string): Promise<AttemptSession>;
  /** See the assignments that you have begun. */
  getBegunAssignments(query?: { limit?: number | undefined; before?: string | undefined }): Promise<Assignments>;
  /**
   * Answer a question.
   * @throws ApiError IDEMPOTENCY_KEY_REUSED, SESSION_NOT_FOUND, SESSION_FORBIDDEN, QUESTION_NOT_FOUND, QUESTION_ALREADY_ANSWERED, ASSIGNMENT_CLOSED
   */
  answerQuestion(request: AnswerRequest): Promise<AnswerResult>;
  /** Start a quiz. @throws ApiError LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS */
  startGame(request?: GameRequest): Promise<GameSession>;
  /** See your finished games. */
  listGames(query?: { limit?: number | undefined; before?: string | undefined }): Promise<GameList>;
  /** Read the result of a finished game. @throws ApiError GAME_NOT_FOUND */
  getGame(gameId: string): Promise<GameResult>;
  /** Play as a guest. @throws ApiError LOBBY_NOT_FOUND */
  createGuest(request?: GuestRequest): Promise<Guest>;
  /** Ask whether a code can be entered. @throws ApiError LOBBY_NOT_FOUND */
  getInvitation(code: string): Promise<Invitation>;
  /** See your lists. */
  getLists(): Promise<WordLists>;
  /** Create a list. @throws ApiError ACCOUNT_NEEDED, TOO_MANY_LISTS, LISTS_TOO_LARGE */
  createList(request: ListRequest): Promise<WordList>;
  /** Delete a list. @throws ApiError LIST_NOT_FOUND */
  deleteList(listId: string): Promise<void>;
  /** Read a list. @throws ApiError LIST_NOT_FOUND */
  getList(listId: string): Promise<WordListWithTerms>;
  /** Replace a list. @throws ApiError LIST_NOT_FOUND, LISTS_TOO_LARGE */
  replaceList(listId: string, request: ListRequest): Promise<WordList>;
  /** See your lobbies. */
  getLobbies(): Promise<JoinedLobbies>;
  /** Create a lobby. @throws ApiError LIST_NOT_FOUND */
  createLobby(request?: CreateLobbyRequest): Promise<Lobby>;
  /** Read a lobby. @throws ApiError LOBBY_NOT_FOUND, NOT_A_MEMBER */
  getLobby(code: string): Promise<Lobby>;
  /** Join a lobby. @throws ApiError LOBBY_NOT_FOUND, KICKED, LOBBY_NOT_WAITING, LOBBY_LOCKED, LOBBY_FULL */
  joinLobby(code: string): Promise<Lobby>;
  /**
   * Send a message to a lobby where WebSockets do not get through.
   * @throws ApiError LOBBY_NOT_FOUND, KICKED, NOT_A_MEMBER, NOT_HOST, LOBBY_NOT_WAITING, NOT_ENOUGH_PLAYERS, LIST_NOT_FOUND, NO_MATCHING_TERMS, NOT_ENOUGH_TERMS, NOT_ENOUGH_DISTRACTORS, NOT_IN_GAME, ROUND_CLOSED, ALREADY_ANSWERED, LOBBY_FULL, PLAYER_NOT_FOUND, LOBBY_NOT_FINISHED
   */
  sendMessage(code: string, request: RequestMessage): Promise<ShownMessages | undefined>;
  /** List the players of a lobby. @throws ApiError LOBBY_NOT_FOUND, NOT_A_MEMBER */
  listPlayers(code: string, query?: { limit?: number | undefined; after?: string | undefined }): Promise<PlayerPage>;
  /** Read what you have learned. */
  getProgress(query?: { timeZone?: string | undefined }): Promise<Progress>;
  /** Read when you have learned. */
  getCalendar(query?: { timeZone?: string | undefined }): Promise<Calendar>;
  /** List the decks. */
  getVocabulary(): Promise<Vocabulary>;
  /** See which words you know. @throws ApiError LIST_NOT_FOUND */
  getWords(query?: {
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
  }): Promise<WordPage>;
  /** Resume a suspended word. @throws ApiError WORD_NOT_FOUND */
  resumeWord(wordId: string): Promise<void>;
  /** Suspend a word. @throws ApiError WORD_NOT_FOUND */
  suspendWord(wordId: string): Promise<void>;
}
