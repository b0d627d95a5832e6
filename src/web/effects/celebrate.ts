// The end of a game: seen by who has won, unless they want nothing to move, and heard by all.
import { useEffect } from 'preact/hooks';
import { effect } from './effects.ts';

/** @param isWinner whether whoever looks on has something to celebrate */
export function useCelebration(isWinner: boolean): void {
  useEffect(() => {
    effect(isWinner ? 'won' : 'over');
    if (!isWinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    import('./confetti.ts').then(({ throwConfetti }) => throwConfetti()).catch(() => {});
  }, [isWinner]);
}
