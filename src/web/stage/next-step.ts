// What comes next for who holds the game's reins, from what is on the screen. Pure.
import type { Phase, ResolvedRound } from '../game-state.ts';

export type Step = 'start' | 'skip' | 'pass' | 'next' | 'again';

/**
 * @param phase what the game is at
 * @param result the round whose result is on the screen, if one is
 * @returns null while there is nothing to do but to wait
 */
export function nextStep(phase: Phase, result: ResolvedRound | null): Step | null {
  if (phase === 'intermission') return 'next';
  // Without intermissions what comes next is open already, and the result stands before it.
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
