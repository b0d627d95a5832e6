// The texts of the projector's screens in English.
import { plural } from '../plural.ts';

export const enStage = {
  open: 'Show on a projector',
  join: 'Join the game',
  players: (count: number) => plural(count, 'player', 'players'),
  nobodyYet: 'Names appear here as people join.',
  answered: (answered: number, awaited: number) => `${answered} of ${awaited} have answered`,
  keys: 'Space, → or a clicker goes on, F is full screen.',
  fullScreenKey: 'F is full screen.',
  fullScreen: 'Full screen',
  hardestAgain: (words: number) => `Play the ${words} hardest again`,
  hardestOf: (words: string) => `Hardest words: ${words}`,
  leaveRunning: 'The game goes on without you: another player becomes the host.',
};
