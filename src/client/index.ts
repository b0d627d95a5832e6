// The client library, for browsers and Node.js: `import { createClient } from
// 'vocabulary-quiz-service/client'`. README.md beside this file shows how it is used.
export { ApiError, type ApiErrorDetails, type ErrorCode, type FieldError } from './api-error.ts';
export {
  type Client,
  type ClientOptions,
  createClient,
  type WebSocketLike,
  type WordsQuery,
} from './client.ts';
export type { CallOptions, FetchLike, HttpOptions, RequestOptions, ResponseLike } from './http.ts';
export type { EventPosition, LiveStatus, Transport } from './live.ts';
export type { LobbyConnection, LobbyEvent, LobbyEvents, LobbyPosition } from './lobby.ts';
export type * from './types.ts';
