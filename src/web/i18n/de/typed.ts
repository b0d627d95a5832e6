// The texts about typed answers and words that are read aloud in German.
import type { Texts } from '../en/index.ts';

export const deTyped: Texts['typed'] = {
  label: 'Antworten',
  modes: { choice: 'Auswählen', typed: 'Tippen' },
  practise: 'Antworten tippen',
  send: 'Antworten',
  letters: 'Sonderzeichen',
  close: 'Richtig! Achte auf die Schreibweise.',
  alsoRight: 'Auch richtig:',
  onDevice: 'Tippe die Antwort auf deinem Gerät.',
  wereRight: 'Richtig',
  wereWrong: 'Nicht richtig',
  listen: 'Anhören',
  readAloud: 'Immer vorlesen',
};
