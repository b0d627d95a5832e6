// The types of all requests, answers and messages, from the service's own zod schemas. No other file of the
// library imports from the rest of the code, and this one imports only types. The build replaces it by plain
// interfaces, which print-types.ts makes of the same schemas.
import type { input, output } from 'zod';
import type * as accounts from '../accounts/export/schema.ts';
import type * as guests from '../accounts/guests/schema.ts';
import type * as assignmentResults from '../assignments/results-schema.ts';
import type * as assignments from '../assignments/schema.ts';
import type * as learning from '../learning/schema.ts';
import type * as lobby from '../lobby/schema.ts';
import type * as match from '../match/schema.ts';
import type * as realtime from '../realtime/schema.ts';
import type * as singleplayer from '../singleplayer/schema.ts';
import type * as lists from '../vocabulary/lists/schema.ts';
import type * as vocabulary from '../vocabulary/schema.ts';

export type AccountExport = output<typeof accounts.AccountExport>;
export type AnswerRequest = input<typeof singleplayer.AnswerRequest>;
export type AnswerResult = output<typeof singleplayer.AnswerResult>;
export type Assignment = output<typeof assignments.Assignment>;
export type AssignmentResults = output<typeof assignmentResults.AssignmentResults>;
export type Assignments = output<typeof assignments.Assignments>;
export type AttemptSession = output<typeof assignments.AttemptSession>;
export type Calendar = output<typeof learning.Calendar>;
export type ClientMessage = input<typeof realtime.ClientMessage>;
export type ChangeAssignmentRequest = input<typeof assignments.ChangeAssignmentRequest>;
export type CreateAssignmentRequest = input<typeof assignments.CreateAssignmentRequest>;
export type CreateLobbyRequest = input<typeof lobby.CreateLobbyRequest>;
export type ErrorMessage = output<typeof realtime.ErrorMessage>;
export type GameList = output<typeof match.GameList>;
export type GameRequest = input<typeof singleplayer.GameRequest>;
export type GameResult = output<typeof match.GameResult>;
export type GameSession = output<typeof singleplayer.GameSession>;
export type JoinedLobbies = output<typeof lobby.JoinedLobbies>;
export type ListRequest = input<typeof lists.ListRequest>;
export type Guest = output<typeof guests.Guest>;
export type GuestRequest = input<typeof guests.GuestRequest>;
export type Lobby = output<typeof lobby.Lobby>;
export type LobbyChange = input<typeof lobby.LobbyChange>;
export type LobbySettings = output<typeof lobby.LobbySettings>;
export type PlayerPage = output<typeof lobby.PlayerPage>;
export type Progress = output<typeof learning.Progress>;
export type Question = output<typeof vocabulary.Question>;
export type ServerEvent = output<typeof realtime.ServerEvent>;
export type ServerMessage = output<typeof realtime.ServerMessage>;
export type Vocabulary = output<typeof vocabulary.Vocabulary>;
export type WordList = output<typeof lists.WordList>;
export type WordLists = output<typeof lists.WordLists>;
export type WordListWithTerms = output<typeof lists.WordListWithTerms>;
