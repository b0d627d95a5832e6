// What players do: they join over HTTP, their sockets come and go, they answer, they leave for good.
// The handlers of their messages are the real ones.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { joinLobby } from '../../../src/lobby/join-lobby.ts';
import { submitAnswer } from '../../../src/match/submit-answer.ts';
import { isOutage } from '../../../src/platform/outage.ts';
import type { Connection } from '../../../src/realtime/connection.ts';
import { stepOut } from '../../../src/realtime/handlers/handler.ts';
import { joinLobbyRoom } from '../../../src/realtime/handlers/lobby-join.ts';
import { leaveLobbyRoom } from '../../../src/realtime/handlers/lobby-leave.ts';
import { type Errand, expectRefusal, expectSuccess, type Order } from './errands.ts';
import type { SentAnswer, StormLobby, User } from './lobby.ts';

export function socketOf({ id, name }: User): Connection {
  const user = { id, name, email: '', sessionId: '' };
  return { id: `of-${id}`, userId: id, user, send() {} } as Partial<Connection> as Connection;
}

export function createJoin({ code, gone }: StormLobby, { id }: User): Errand {
  gone.delete(id);
  return {
    userId: id,
    body: (deps) => joinLobby(deps, code, id),
    ended(outcome, isUndisturbed) {
      if (isUndisturbed && 'error' in outcome)
        expectRefusal(outcome, 'LOBBY_NOT_WAITING', 'KICKED');
    },
  };
}

export function createCome(lobby: StormLobby, user: User): Errand {
  const { model, present } = lobby;
  // Its one socket steps out first, as from any other lobby.
  present.delete(user.id);
  return {
    userId: user.id,
    body: (deps) => joinLobbyRoom(deps, socketOf(user), { type: 'lobby:join', code: lobby.code }),
    effect(script, reply) {
      if (script === 'enter-match') expect(reply).toBe(model.enter(user.id, user.name, reply));
    },
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('error' in outcome) return expectRefusal(outcome, 'NOT_A_MEMBER', 'KICKED');
      present.add(user.id);
      // A member who was not connected at the start becomes a player.
      const isPlayer = model.status() === 'open' && model.plan()?.presenterId !== user.id;
      if (isPlayer) expect(model.find(user.id)).toBeDefined();
    },
  };
}

export function createDisconnect({ present }: StormLobby, user: User): Errand {
  present.delete(user.id);
  return {
    userId: user.id,
    body: (deps) => stepOut(deps, socketOf(user)),
    ended: expectSuccess,
  };
}

export function createLeave(lobby: StormLobby, user: User): Errand {
  const { model, present, leaving, gone } = lobby;
  let due: number | null = null;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body(deps) {
      const rooms = { ...deps.rooms, lobbyOf: () => lobby.lobbyId };
      return leaveLobbyRoom({ ...deps, rooms }, socketOf(user));
    },
    effect(script, reply) {
      if (script !== 'leave-match') return;
      model.leave(user.id);
      due = reply === 'complete' ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      expectSuccess(outcome, isUndisturbed);
      if (isUndisturbed && model.status() !== 'finished') gone.add(user.id);
    },
  };
}

export function createAnswer(
  { model, lobbyId, users, sent }: StormLobby,
  order: Extract<Order, { do: 'answer' }>,
): Errand {
  const { optionId, player } = order;
  const awaited = order.isAwaited ? model.players().filter((one) => one.awaited) : [];
  const userId = awaited[player % awaited.length]?.userId ?? (users[player]?.id as string);
  const token = randomUUID();
  const of = { open: model.round(), earlier: model.round() - 1, foreign: 0 }[order.to];
  const questionId = model.plan()?.questions[of - 1]?.question.questionId ?? randomUUID();
  const answer: SentAnswer = { userId, questionId, optionId, isAcknowledged: false };
  let expected = '';
  let due: number | null = null;
  return {
    body: (deps) => submitAnswer(deps, lobbyId, { userId, questionId, optionId, token }),
    effect(script, reply) {
      if (script !== 'store-answer') return;
      expected = model.answer(userId, questionId, optionId, token);
      if (expected === 'stored' && !sent.includes(answer)) sent.push(answer);
      // With `complete` comes the game.
      const isOver = Array.isArray(reply) || reply === 'complete' || reply === 'OVERDUE';
      due = isOver ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      if ('value' in outcome) {
        expect(expected).toBe('stored');
        answer.isAcknowledged = true;
      } else if (isUndisturbed || !isOutage(outcome.error)) expectRefusal(outcome, expected);
    },
  };
}
