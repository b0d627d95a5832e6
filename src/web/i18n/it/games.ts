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
  review: 'Com’è andata',
  hardest: 'Le parole più difficili',
  help: 'Chi ha bisogno di aiuto',
  helpNobody: 'Tutti hanno risposto bene almeno alla metà.',
  helpMore: (count) =>
    `${count === 1 ? '1 persona ha' : `${count} persone hanno`} risposto bene a meno della metà`,
  often: (answer) => `spesso: «${answer}»`,
  gradebook: 'Registro (CSV)',
  eachAnswer: 'Ogni risposta (CSV)',
  player: 'Nome',
  rightAnswers: 'Giuste',
  word: 'Parola',
  seconds: 'Secondi',
  answer: 'Risposta',
  noRounds: 'Le risposte di questa partita non sono state conservate.',
};
