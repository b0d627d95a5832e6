// Exports the zod schemas and types of every request, response and message to TypeScript clients, without any code of
// the server. [contract 1-5]
//
//     import { type Lobby, ServerMessage } from 'vocabulary-quiz-service/schemas';

export * from './accounts/schema.ts';
export {
  Assignment,
  AssignmentResults,
  Assignments,
  ATTEMPTS,
  AttemptSession,
  ChangeAssignmentRequest,
  CreateAssignmentRequest,
  TITLE_LENGTH,
} from './assignments/schema.ts';
export { ERROR_CODES, type ErrorCode } from './errors.ts';
export { Problem } from './http/problems/problem-schema.ts';
export { Calendar, Progress, ProgressQuery, WordPage, WordsQuery } from './learning/schema.ts';
export {
  CreateLobbyRequest,
  INTERMISSION_MS,
  JoinedLobbies,
  LOBBY_CAPACITY,
  LOBBY_ROUNDS,
  Lobby,
  LobbyChange,
  LobbyMember,
  LobbySettings,
  LobbyStatus,
  PlayerPage,
  ROUND_MS,
} from './lobby/schema.ts';
export * from './match/schema.ts';
export * from './realtime/schema.ts';
export * from './singleplayer/schema.ts';
export { LIST_TERMS } from './vocabulary/lists/rules.ts';
export * from './vocabulary/lists/schema.ts';
export {
  DIFFICULTIES,
  DifficultyLevel,
  LANGUAGES,
  PARTS_OF_SPEECH,
  Question,
  QuestionOption,
  SupportedLanguageCode,
  SupportedPos,
  Vocabulary,
} from './vocabulary/schema.ts';
