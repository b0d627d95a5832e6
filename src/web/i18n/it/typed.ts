// The texts about typed answers and words that are read aloud in Italian.
import type { Texts } from '../en/index.ts';

export const itTyped: Texts['typed'] = {
  label: 'Risposte',
  modes: { choice: 'Scegliere', typed: 'Scrivere' },
  practise: 'Scrivere le risposte',
  send: 'Rispondi',
  letters: 'Lettere speciali',
  close: 'Giusto! Attenzione all’ortografia.',
  alsoRight: 'Va bene anche:',
  onDevice: 'Scrivi la risposta sul tuo dispositivo.',
  wereRight: 'Giusto',
  wereWrong: 'Non giusto',
  listen: 'Ascolta',
  readAloud: 'Leggi sempre ad alta voce',
};
