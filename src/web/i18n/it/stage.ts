// The texts of the projector's screens in Italian.
import type { enStage } from '../en/stage.ts';

export const itStage: typeof enStage = {
  open: 'Mostra sul proiettore',
  join: 'Entra in partita',
  players: (count) => (count === 1 ? '1 giocatore' : `${count} giocatori`),
  nobodyYet: 'Qui compaiono i nomi di chi entra.',
  answered: (answered, awaited) => `Hanno risposto in ${answered} su ${awaited}`,
  keys: 'Spazio, → o un telecomando per andare avanti, F per lo schermo intero.',
  fullScreenKey: 'F per lo schermo intero.',
  fullScreen: 'Schermo intero',
  hardestAgain: (words) => `Rigiocare le ${words} più difficili`,
  hardestOf: (words) => `Le più difficili: ${words}`,
  leaveRunning: 'La partita continua senza di te: la organizzerà qualcun altro.',
};
