// The texts of past games in French.
import type { Texts } from '../en/index.ts';

export const frGames: Texts['games'] = {
  title: 'Parties passées',
  none: 'Aucune partie terminée pour le moment. Invitez vos amis à la première.',
  older: 'Parties plus anciennes',
  presented: 'Vous présentiez',
  from: (day) => `Partie du ${day}`,
  missedNone: 'Vous n’avez manqué aucun mot.',
  grouped: 'Regroupées',
  byWord: 'Par mot',
  byPlayer: 'Par joueur',
  right: 'juste',
  close: 'presque',
  wrong: 'faux',
  download: 'Télécharger en tableau (CSV)',
  noRounds: 'Les réponses de cette partie n’ont pas été conservées.',
};
