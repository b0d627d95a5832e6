// The texts about typed answers and words that are read aloud in French.
import type { Texts } from '../en/index.ts';

export const frTyped: Texts['typed'] = {
  label: 'Réponses',
  modes: { choice: 'Choisir', typed: 'Écrire' },
  practise: 'Écrire les réponses',
  send: 'Répondre',
  letters: 'Caractères spéciaux',
  close: 'Juste ! Attention à l’orthographe.',
  alsoRight: 'Aussi juste :',
  onDevice: 'Écrivez la réponse sur votre appareil.',
  wereRight: 'Juste',
  wereWrong: 'Pas juste',
  listen: 'Écouter',
  readAloud: 'Toujours lire à voix haute',
};
