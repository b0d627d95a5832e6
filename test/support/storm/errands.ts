// What a process of a storm sets out to do, with the real use cases; what the model says to it at the
// moment when it takes effect; and what must have come of it in the end.
import { expect } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { endPhase } from '../../../src/match/end-phase.ts';
import { startMatch } from '../../../src/match/start-match.ts';
import { type Found, tick } from '../../../src/match/tick.ts';
import type { HandlerDeps } from '../../../src/realtime/handlers/handler.ts';
import { sweepClocks } from '../../../worker/sweep-clocks.ts';
import { createCommand, createKick } from './host.ts';
import type { StormLobby } from './lobby.ts';
import { createAnswer, createCome, createDisconnect, createJoin, createLeave } from './players.ts';
import { processDeps } from './process-deps.ts';
import type { Gate } from './stepper.ts';

/** Players are numbers: places in the lobby's `users`, or among those who are waited for. */
export type Order =
  | { do: 'start' | 'touch' | 'clock' | 'sweep' }
  | { do: 'join' | 'come' | 'disconnect' | 'leave' | 'kick'; player: number }
  /** `next` of the open phase, or of another one. */
  | { do: 'next'; isStale: boolean }
  | { do: 'end' }
  | {
      do: 'answer';
      player: number;
      isAwaited: boolean;
      to: 'open' | 'earlier' | 'foreign';
      optionId: number;
    };

export type Outcome = { value: unknown } | { error: unknown };

export interface Errand {
  /** Whose it is: of one player the comings and goings happen one after the other. */
  userId?: string;
  body(deps: HandlerDeps): Promise<unknown>;
  /** The model's part, whenever a script has taken effect. @param reply what it replied */
  effect?(script: string, reply: unknown): void;
  /** Checks what came of it. @param isUndisturbed no store was away for it */
  ended(outcome: Outcome, isUndisturbed: boolean): void;
  /** The phase that was due when the errand began, or that it made due. */
  duePhase?(): number | null;
}

export type StormErrand = Omit<Errand, 'body'> & { body(gate: Gate): Promise<unknown> };

/**
 * @param hasFastClock whether the process thinks that every deadline has passed
 * @returns null where there is nothing to do
 */
export function createErrand(
  lobby: StormLobby,
  order: Order,
  hasFastClock: boolean,
): StormErrand | null {
  const errand = errandOf(lobby, order);
  return (
    errand && { ...errand, body: (gate) => errand.body(processDeps(lobby, gate, hasFastClock)) }
  );
}

function errandOf(lobby: StormLobby, order: Order): Errand | null {
  const { model, lobbyId, users, leaving } = lobby;
  const hostId = users[0]?.id as string;
  const dueNow = model.isDue() ? model.phase() : null;
  switch (order.do) {
    case 'start':
      return {
        body: (deps) => startMatch(deps, lobbyId, hostId),
        ended(outcome, isUndisturbed) {
          if (!isUndisturbed || 'value' in outcome) return;
          const left = leaving.has(hostId) ? ['NOT_IN_LOBBY', 'NOT_HOST'] : [];
          expectRefusal(outcome, 'LOBBY_NOT_WAITING', ...left);
        },
      };
    case 'touch':
      return {
        body: (deps) => endPhase(deps, lobbyId),
        ended: expectSuccess,
        duePhase: () => dueNow,
      };
    case 'sweep':
      return { body: (deps) => sweepClocks(deps), ended: expectSuccess };
    case 'clock':
      return createTick(lobby, dueNow);
    case 'answer':
      return createAnswer(lobby, order);
    case 'next':
    case 'end':
      return createCommand(lobby, order);
    default: {
      const create = {
        join: createJoin,
        come: createCome,
        disconnect: createDisconnect,
        leave: createLeave,
        kick: createKick,
      };
      return create[order.do](lobby, users[order.player] as { id: string; name: string });
    }
  }
}

/** The oldest of the clocks fires. */
function createTick({ clocks, model, lobbyId }: StormLobby, dueNow: number | null): Errand | null {
  const [gameId, plan] = clocks.entries().next().value ?? [];
  if (!gameId) return null;
  const isRunning = () => model.plan()?.gameId === gameId;
  return {
    duePhase: () => (isRunning() ? dueNow : null),
    async body(deps) {
      const found = await tick(deps, { lobbyId, gameId, plan: plan ?? null });
      // To put it off or to take it away; as good as any command of that connection.
      await deps.redis.ping();
      if (found.standing.state !== 'open') clocks.delete(gameId);
      else if (found.isStarted) clocks.set(gameId, null);
      return found;
    },
    ended(outcome, isUndisturbed) {
      expectSuccess(outcome, isUndisturbed);
      if (!('value' in outcome) || (outcome.value as Found).standing.state === 'open') return;
      if (isRunning()) expect(model.status()).toBe('finished');
    },
  };
}

export function expectSuccess(outcome: Outcome, isUndisturbed: boolean): void {
  if (isUndisturbed && 'error' in outcome) throw outcome.error;
}

export function expectRefusal({ error }: { error: unknown }, ...codes: string[]): void {
  if (!(error instanceof AppError)) throw error;
  expect(codes).toContain(error.code);
}
