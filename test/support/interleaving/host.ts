// The tasks of a game's host. [contract 11]
import { expect } from 'vitest';
import { handleMessage } from '../../../src/realtime/messages.ts';
import type { ClientMessage } from '../../../src/realtime/schema.ts';
import type { HostCommand } from '../../../src/tools/prove/checker/match-model.ts';
import type { ModelledLobby, User } from './lobby.ts';
import { socketOf } from './players.ts';
import { expectRefusal, type Task, type TaskSpec } from './tasks.ts';

const NOT_HOST_ANY_MORE = ['NOT_IN_LOBBY', 'NOT_HOST'];

/** Sends a message of the first user, who may no longer be the host. */
function sendAsFirstUser({ lobbyId, users }: ModelledLobby, message: ClientMessage): Task['body'] {
  return (deps) => {
    const rooms = { ...deps.rooms, lobbyOf: () => lobbyId };
    return handleMessage({ ...deps, rooms }, socketOf(users[0] as User), message);
  };
}

/** Ends a phase or the game. */
export function createCommand(lobby: ModelledLobby, spec: Extract<TaskSpec, { do: 'next' | 'end' }>): Task {
  const { model, leaving, users } = lobby;
  const command = commandOf(lobby, spec);
  let reply: unknown;
  let due: number | null = null;
  return {
    body: sendAsFirstUser(
      lobby,
      command.do === 'end' ? { type: 'game:end' } : { type: 'game:next', round: command.round, phase: command.phase },
    ),
    effect(script, replied) {
      if (script !== 'skip-phase') return;
      reply = replied;
      expect(replied).toBe(model.command(command));
      due = replied === 'due' || replied === 'OVERDUE' ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('value' in outcome) return expect(reply).toBe('due');
      const left = leaving.has(users[0]?.id as string) ? NOT_HOST_ANY_MORE : [];
      if (reply === undefined) expectRefusal(outcome, 'NOT_IN_GAME', ...left);
      else expectRefusal(outcome, reply === 'NOT_IN_GAME' ? reply : 'ROUND_CLOSED');
    },
  };
}

function commandOf({ model }: ModelledLobby, spec: Extract<TaskSpec, { do: 'next' | 'end' }>): HostCommand {
  if (spec.do === 'end') return { do: 'end' };
  const phase = (model.status() === 'intermission') !== spec.isStale ? 'intermission' : 'round';
  return { do: 'next', round: Math.max(1, model.round()), phase };
}

/** Removes a player permanently. */
export function createKick(lobby: ModelledLobby, user: User): Task | null {
  const { model, present, leaving, gone, users } = lobby;
  if (user === users[0]) return null;
  let due: number | null = null;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body: sendAsFirstUser(lobby, { type: 'lobby:kick', userId: user.id }),
    effect(script, reply) {
      if (script !== 'leave-match') return;
      model.leave(user.id);
      due = reply === 'complete' ? model.phase() : null;
    },
    duePhase: () => due,
    ended(outcome, isUndisturbed) {
      if (!isUndisturbed) return;
      if ('error' in outcome) {
        expectRefusal(outcome, 'PLAYER_NOT_FOUND', ...NOT_HOST_ANY_MORE);
      } else if (model.status() !== 'finished') gone.add(user.id);
    },
  };
}
