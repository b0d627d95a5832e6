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
  review: 'Bilan',
  hardest: 'Les mots les plus difficiles',
  help: 'Qui a besoin d’aide',
  helpNobody: 'Tout le monde a eu au moins la moitié juste.',
  helpMore: (count) =>
    `${count === 1 ? '1 personne a' : `${count} personnes ont`} eu moins de la moitié juste`,
  often: (answer) => `souvent : « ${answer} »`,
  gradebook: 'Carnet de notes (CSV)',
  eachAnswer: 'Chaque réponse (CSV)',
  player: 'Nom',
  rightAnswers: 'Juste',
  word: 'Mot',
  seconds: 'Secondes',
  answer: 'Réponse',
  noRounds: 'Les réponses de cette partie n’ont pas été conservées.',
};
