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
  download: 'Als Tabelle herunterladen (CSV)',
  noRounds: 'Von diesem Spiel sind keine Antworten gespeichert.',
};
