// The texts of past games in German.
import type { Texts } from '../en/index.ts';

export const deGames: Texts['games'] = {
  title: 'Vergangene Spiele',
  none: 'Noch kein beendetes Spiel. Lade deine Freunde zum ersten ein.',
  older: 'Ältere Spiele',
  presented: 'Du hast präsentiert',
  from: (day) => `Spiel vom ${day}`,
  missedNone: 'Du hattest jedes Wort richtig.',
  grouped: 'Geordnet',
  byWord: 'Nach Wörtern',
  byPlayer: 'Nach Personen',
  right: 'richtig',
  close: 'fast',
  wrong: 'falsch',
  review: 'Auswertung',
  hardest: 'Die schwersten Wörter',
  help: 'Wer Hilfe braucht',
  helpNobody: 'Alle hatten mindestens die Hälfte richtig.',
  helpMore: (count) =>
    `${count === 1 ? '1 Person hatte' : `${count} Personen hatten`} weniger als die Hälfte richtig`,
  often: (answer) => `oft: „${answer}“`,
  gradebook: 'Notenliste (CSV)',
  eachAnswer: 'Jede Antwort (CSV)',
  player: 'Person',
  rightAnswers: 'Richtig',
  word: 'Wort',
  seconds: 'Sekunden',
  answer: 'Antwort',
  noRounds: 'Von diesem Spiel sind keine Antworten gespeichert.',
};
