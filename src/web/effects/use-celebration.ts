// The sounds at the end of a game, and confetti for winners. The places of a podium appear one by one, the third first.
import { useEffect } from 'preact/hooks';
import { playEffect } from './effects.tsx';

/** When a place of the podium appears, ms after the screen; style/podium.css has the same times. */
const APPEARS_MS: Record<number, number> = { 3: 400, 2: 1500, 1: 2800 };

/**
 * @param isWinner whether there is somebody to celebrate
 * @param places the places on the podium; without any the end is not delayed
 */
export function useCelebration(isWinner: boolean, places: readonly number[]): void {
  useEffect(() => {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const after = (place: number, effect: () => void) =>
      setTimeout(effect, isCalm || places.length === 0 ? 0 : APPEARS_MS[place]);
    const end = () => {
      playEffect(isWinner ? 'won' : 'over');
      if (isWinner && !isCalm) import('./confetti.ts').then(({ throwConfetti }) => throwConfetti()).catch(() => {});
    };
    const drums = places.filter((place) => place > 1 && !isCalm);
    const timers = [...drums.map((place) => after(place, () => playEffect('tick'))), after(1, end)];
    return () => timers.forEach(clearTimeout);
  }, [isWinner]);
}
