// The texts of the projector's screens in German.
import type { enStage } from '../en/stage.ts';

export const deStage: typeof enStage = {
  open: 'Auf dem Beamer zeigen',
  join: 'Spielt mit',
  players: (count) => (count === 1 ? '1 Person dabei' : `${count} Personen dabei`),
  nobodyYet: 'Hier erscheint, wer dabei ist.',
  answered: (answered, awaited) => `${answered} von ${awaited} haben geantwortet`,
  keys: 'Leertaste, → oder Presenter geht weiter, F füllt den Bildschirm.',
  fullScreenKey: 'F füllt den Bildschirm.',
  fullScreen: 'Vollbild',
  hardestAgain: (words) => `Die ${words} schwersten noch einmal`,
  hardestOf: (words) => `Die schwersten: ${words}`,
  leaveRunning: 'Das Spiel geht ohne dich weiter: Jemand anders übernimmt die Spielleitung.',
};
