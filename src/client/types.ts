// The types of all requests, replies and messages, from the service's own zod schemas. Printed by build.ts.
import type { input } from 'zod';
import type * as schemas from '../schemas.ts';

export type * from '../schemas.ts';

export type AccountChange = input<typeof schemas.AccountChange>;
export type AnswerRequest = input<typeof schemas.AnswerRequest>;
export type ChangeAssignmentRequest = input<typeof schemas.ChangeAssignmentRequest>;
export type ClientMessage = input<typeof schemas.ClientMessage>;
export type CreateAssignmentRequest = input<typeof schemas.CreateAssignmentRequest>;
export type CreateLobbyRequest = input<typeof schemas.CreateLobbyRequest>;
export type GameRequest = input<typeof schemas.GameRequest>;
export type GuestRequest = input<typeof schemas.GuestRequest>;
export type ListRequest = input<typeof schemas.ListRequest>;
export type LobbyChange = input<typeof schemas.LobbyChange>;
export type ProgressQuery = input<typeof schemas.ProgressQuery>;
export type RequestMessage = input<typeof schemas.RequestMessage>;
export type WordsQuery = input<typeof schemas.WordsQuery>;
