// The tasks of players: they join over HTTP, connect and disconnect sockets, answer, and leave. The handlers
// of their messages are the real ones.
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { joinLobby } from '../../../src/lobby/join-lobby.ts';
import { submitAnswer } from '../../../src/match/submit-answer.ts';
import { isOutage } from '../../../src/platform/outages/outage.ts';
import type { Connection } from '../../../src/realtime/connection.ts';
import { detachSocket, joinRoom, leaveRoom } from '../../../src/realtime/handlers.ts';
import type { ModelledLobby, SentAnswer, User } from './lobby.ts';
import { expectRefusal, expectSuccess, type Task, type TaskSpec } from './tasks.ts';

export function socketOf({ id, name }: User): Connection {
  const user = { id, name, email: '', sessionId: '' };
  const address = '127.0.0.1';
  return { id: `of-${id}`, userId: id, userName: name, user, address, send() {} } as Partial<Connection> as Connection;
}

export function createJoin({ code, gone }: ModelledLobby, { id }: User): Task {
  gone.delete(id);
  return {
    userId: id,
    body: (deps) => joinLobby(deps, code, { userId: id, address: '127.0.0.1' }),
    ended(outcome, isUndisturbed) {
      if (isUndisturbed && 'error' in outcome) expectRefusal(outcome, 'LOBBY_NOT_WAITING', 'KICKED');
    },
  };
}

export function createConnect(lobby: ModelledLobby, user: User): Task {
  const { model, present } = lobby;
  // A socket first leaves the lobby that it is in.
  present.delete(user.id);
  return {
    userId: user.id,
    body: (deps) => joinRoom(deps, socketOf(user), { type: 'lobby:join', code: lobby.code }),
    effect(script, reply) {
      if (script === 'enter-match') expect(reply).toBe(model.enter(user.id, user.name, reply));
    },
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('error' in outcome) return expectRefusal(outcome, 'NOT_A_MEMBER', 'KICKED');
      present.add(user.id);
      // A member who was not connected at the start becomes a player.
      const isPlayer = model.status() === 'open' && model.prepared()?.presenterId !== user.id;
      if (isPlayer) expect(model.find(user.id)).toBeDefined();
    },
  };
}

export function createDisconnect({ present }: ModelledLobby, user: User): Task {
  present.delete(user.id);
  return { userId: user.id, body: (deps) => detachSocket(deps, socketOf(user)), ended: expectSuccess };
}

export function createLeave(lobby: ModelledLobby, user: User): Task {
  const { model, present, leaving, gone } = lobby;
  let due: number | null = null;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body(deps) {
      const rooms = { ...deps.rooms, lobbyOf: () => lobby.lobbyId };
      return leaveRoom({ ...deps, rooms }, socketOf(user));
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
  { model, lobbyId, users, sent }: ModelledLobby,
  spec: Extract<TaskSpec, { do: 'answer' }>,
): Task {
  const { optionId, player } = spec;
  const awaited = spec.isAwaited ? model.players().filter((one) => one.awaited) : [];
  const userId = awaited[player % awaited.length]?.userId ?? (users[player]?.id as string);
  const token = randomUUID();
  const of = { open: model.round(), earlier: model.round() - 1, foreign: 0 }[spec.to];
  const questionId = model.prepared()?.questions[of - 1]?.question.questionId ?? randomUUID();
  const answer: SentAnswer = { userId, questionId, optionId, isAcknowledged: false };
  let expected = '';
  let due: number | null = null;
  return {
    body: (deps) => submitAnswer(deps, lobbyId, { userId, questionId, answer: { optionId }, token }),
    effect(script, reply) {
      if (script !== 'store-answer') return;
      expected = model.answer(userId, questionId, optionId, token);
      if (expected === 'stored' && !sent.includes(answer)) sent.push(answer);
      // If the answer completes the round, the reply is an array with the game.
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
