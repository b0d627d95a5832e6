// Le partite passate, in italiano.
import type { Texts } from './en.ts';

export const itGames: Texts['games'] = {
  title: 'Partite passate',
  none: 'Ancora nessuna partita finita. Invita gli amici alla prima.',
  older: 'Partite precedenti',
  place: (place, players) => `${place} su ${players}`,
  presented: 'Hai presentato',
  from: (day) => `Partita del ${day}`,
  missedNone: 'Non hai sbagliato nessuna parola.',
  grouped: 'Raggruppate',
  byWord: 'Per parola',
  byPlayer: 'Per giocatore',
  right: 'giusta',
  wrong: 'sbagliata',
  download: 'Scarica come tabella (CSV)',
  noRounds: 'Le risposte di questa partita non sono state conservate.',
};
