// The texts of past games in Italian.
import type { Texts } from '../en/index.ts';

export const itGames: Texts['games'] = {
  title: 'Partite passate',
  none: 'Ancora nessuna partita finita. Invita gli amici alla prima.',
  older: 'Partite precedenti',
  presented: 'Hai presentato',
  from: (day) => `Partita del ${day}`,
  missedNone: 'Non hai sbagliato nessuna parola.',
  grouped: 'Raggruppate',
  byWord: 'Per parola',
  byPlayer: 'Per giocatore',
  right: 'giusta',
  close: 'quasi',
  wrong: 'sbagliata',
  download: 'Scarica come tabella (CSV)',
  noRounds: 'Le risposte di questa partita non sono state conservate.',
};
