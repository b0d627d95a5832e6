// The sound at the end of a game, and confetti for winners unless the user has asked for reduced motion.
import { useEffect } from 'preact/hooks';
import { playEffect } from './effects.ts';

export function useCelebration(isWinner: boolean): void {
  useEffect(() => {
    playEffect(isWinner ? 'won' : 'over');
    if (!isWinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    import('./confetti.ts').then(({ throwConfetti }) => throwConfetti()).catch(() => {});
  }, [isWinner]);
}
