// The types of all requests, replies and messages, from the service's own zod schemas. This file imports only types from
// the rest of the code. Printed by build.ts.
import type { input } from 'zod';
import type * as accounts from '../accounts/schema.ts';
import type * as assignments from '../assignments/schema.ts';
import type * as learning from '../learning/schema.ts';
import type * as lobby from '../lobby/schema.ts';
import type * as realtime from '../realtime/schema.ts';
import type * as singleplayer from '../singleplayer/schema.ts';
import type * as lists from '../vocabulary/lists/schema.ts';

export type { Account, AccountExport, Guest, Invitation } from '../accounts/schema.ts';
export type { Assignment, AssignmentResults, Assignments, AttemptSession } from '../assignments/schema.ts';
export type { Calendar, Progress, WordPage } from '../learning/schema.ts';
export type { JoinedLobbies, Lobby, LobbySettings, PlayerPage } from '../lobby/schema.ts';
export type { GameList, GameResult } from '../match/schema.ts';
export type { ErrorMessage, ServerEvent, ServerMessage, ShownMessages } from '../realtime/schema.ts';
export type { AnswerResult, GameSession } from '../singleplayer/schema.ts';
export type { WordList, WordLists, WordListWithTerms } from '../vocabulary/lists/schema.ts';
export type { Question, Vocabulary } from '../vocabulary/schema.ts';

export type AccountChange = input<typeof accounts.AccountChange>;
export type AnswerRequest = input<typeof singleplayer.AnswerRequest>;
export type ChangeAssignmentRequest = input<typeof assignments.ChangeAssignmentRequest>;
export type ClientMessage = input<typeof realtime.ClientMessage>;
export type CreateAssignmentRequest = input<typeof assignments.CreateAssignmentRequest>;
export type CreateLobbyRequest = input<typeof lobby.CreateLobbyRequest>;
export type GameRequest = input<typeof singleplayer.GameRequest>;
export type GuestRequest = input<typeof accounts.GuestRequest>;
export type ListRequest = input<typeof lists.ListRequest>;
export type LobbyChange = input<typeof lobby.LobbyChange>;
export type ProgressQuery = input<typeof learning.ProgressQuery>;
export type RequestMessage = input<typeof realtime.RequestMessage>;
export type WordsQuery = input<typeof learning.WordsQuery>;
