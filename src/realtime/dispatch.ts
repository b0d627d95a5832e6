// From a frame to its handler, and from a handler's failure to the sender's `error`; the connection
// stays open whatever happens. [contract 5]
import { SpanKind } from '@opentelemetry/api';
import { AppError } from '../errors.ts';
import { toAppError } from '../http/problems/problem.ts';
import { createGate } from '../platform/gate.ts';
import type { Logger } from '../platform/logger.ts';
import { countOutage } from '../platform/outage-log.ts';
import { inSpan } from '../platform/tracing.ts';
import { validationFailed } from '../validation.ts';
import type { Connection } from './connection.ts';
import { refOf } from './error-message.ts';
import { answerGame } from './handlers/game-answer.ts';
import { readyGame } from './handlers/game-ready.ts';
import type { HandlerDeps } from './handlers/handler.ts';
import { obeyHost } from './handlers/host.ts';
import { joinLobbyRoom } from './handlers/lobby-join.ts';
import { leaveLobbyRoom } from './handlers/lobby-leave.ts';
import { startLobbyGame } from './handlers/lobby-start.ts';
import { ClientMessage } from './schema.ts';

/** A lobby of hundreds comes in at once: each entry is told to all who are there. */
const JOINS_AT_ONCE = 16;

/** @returns what does a frame's bidding; it never throws */
export function createDispatch(deps: HandlerDeps & { logger: Logger }) {
  const inTurn = createGate(JOINS_AT_ONCE);
  return async (connection: Connection, text: string | null): Promise<void> => {
    try {
      const message = parse(text);
      const work = async () => {
        // Nobody waits for the rest; leaving is meant for those who stay. [contract 17]
        if (connection.isGone && message.type !== 'lobby:leave') return;
        await handle(deps, connection, message);
      };
      await inSpan(message.type, { kind: SpanKind.SERVER }, () =>
        message.type === 'lobby:join' ? inTurn(work) : work(),
      );
    } catch (error) {
      const told = toAppError(error);
      if (told.status >= 500 && !countOutage(deps.logger, error)) {
        deps.logger.error({ err: error, userId: connection.userId }, 'message failed');
      }
      connection.refuse(told, refOf(text));
    }
  };
}

function parse(text: string | null): ClientMessage {
  if (text === null) throw new AppError('INVALID_JSON', 'Send text frames of JSON.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AppError('INVALID_JSON', 'The message is not valid JSON.');
  }
  const message = ClientMessage.safeParse(json);
  if (!message.success) throw validationFailed(message.error.issues);
  return message.data;
}

function handle(deps: HandlerDeps, connection: Connection, message: ClientMessage): Promise<void> {
  switch (message.type) {
    case 'lobby:join':
      return joinLobbyRoom(deps, connection, message);
    case 'lobby:leave':
      return leaveLobbyRoom(deps, connection);
    case 'lobby:start':
      return startLobbyGame(deps, connection);
    case 'game:answer':
      return answerGame(deps, connection, message);
    case 'game:ready':
      return readyGame(deps, connection);
    default:
      return obeyHost(deps, connection, message);
  }
}
