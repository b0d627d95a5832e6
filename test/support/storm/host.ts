// What the host of a game says. [contract 11]
import { expect } from 'vitest';
import type { HostCommand } from '../../../src/prove/checker/match-model.ts';
import { obeyHost } from '../../../src/realtime/handlers/host.ts';
import { type Errand, expectRefusal, type Order } from './errands.ts';
import type { StormLobby, User } from './lobby.ts';
import { socketOf } from './players.ts';

const NOT_HOST_ANY_MORE = ['NOT_IN_LOBBY', 'NOT_HOST'];

/** The first user says it, host or not any more. */
function say(
  { lobbyId, users }: StormLobby,
  message: Parameters<typeof obeyHost>[2],
): Errand['body'] {
  return (deps) => {
    const rooms = { ...deps.rooms, lobbyOf: () => lobbyId };
    return obeyHost({ ...deps, rooms }, socketOf(users[0] as User), message);
  };
}

/** Ends a phase, or the game. */
export function createCommand(
  lobby: StormLobby,
  order: Extract<Order, { do: 'next' | 'end' }>,
): Errand {
  const { model, leaving, users } = lobby;
  const said = commandOf(lobby, order);
  let reply: unknown;
  let due: number | null = null;
  return {
    body: say(
      lobby,
      said.do === 'end'
        ? { type: 'game:end' }
        : { type: 'game:next', round: said.round, phase: said.phase },
    ),
    effect(script, replied) {
      if (script !== 'skip-phase') return;
      reply = replied;
      expect(replied).toBe(model.command(said));
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

function commandOf(
  { model }: StormLobby,
  order: Extract<Order, { do: 'next' | 'end' }>,
): HostCommand {
  if (order.do === 'end') return { do: 'end' };
  const phase = (model.status() === 'intermission') !== order.isStale ? 'intermission' : 'round';
  return { do: 'next', round: Math.max(1, model.round()), phase };
}

/** Removes a player for good. */
export function createKick(lobby: StormLobby, user: User): Errand | null {
  const { model, present, leaving, gone, users } = lobby;
  if (user === users[0]) return null;
  let due: number | null = null;
  present.delete(user.id);
  leaving.add(user.id);
  return {
    userId: user.id,
    body: say(lobby, { type: 'lobby:kick', userId: user.id }),
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
