// The action that a host's main button offers. Pure.
import { type GameState, type Phase, phaseOf, type ResolvedRound } from '../game/game-state.ts';

export type HostAction = 'start' | 'skip' | 'pass' | 'next' | 'again';

/**
 * @param result the round whose result is on the screen, if one is
 * @returns null while the host can only wait
 */
export function nextHostAction(phase: Phase, result: ResolvedRound | null): HostAction | null {
  if (phase === 'intermission') return 'next';
  // Without intermissions the next round is open already, and only this page still shows the result.
  if (result) return 'pass';
  switch (phase) {
    case 'waiting':
      return 'start';
    case 'round':
      return 'skip';
    case 'finished':
      return 'again';
    default:
      return null;
  }
}

/** @returns a text that differs for each screen of a game */
export function sceneOf(state: GameState, result: ResolvedRound | null): string {
  return `${phaseOf(state)} ${state.round?.number} ${result?.number}`;
}
