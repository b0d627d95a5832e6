// The texts about progress in French.
import type { Texts } from '../en/index.ts';
import { frenchPlural as plural } from '../plural.ts';

export const frLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'mot à réviser', 'mots à réviser'),
  nothingDue: 'Rien à réviser pour le moment',
  streak: (days) => plural(days, 'jour de suite', 'jours de suite'),
  reviewedToday: (answers) => plural(answers, 'réponse aujourd’hui', 'réponses aujourd’hui'),
  practiseDue: (words) => `Réviser ${plural(words, 'mot', 'mots')}`,

  more: 'Plus',
  title: 'Vos progrès',
  empty: 'Rien encore. Jouez un quiz, et ce que vous savez s’affichera ici.',
  byWords: 'Vos mots',
  calendar: 'Les 12 dernières semaines',
  answers: (answers) => plural(answers, 'réponse', 'réponses'),
  calendarMore: (answers, days) => `${answers} sur ${plural(days, 'jour', 'jours')}`,
  known: (words) => plural(words, 'acquis', 'acquis'),
  learning: (words) => `${words} en cours`,
  fresh: (words) => plural(words, 'nouveau', 'nouveaux'),
  practise: 'Réviser',

  forecast: 'À réviser dans les 7 prochains jours',
  today: 'Auj.',
  showWords: 'Voir les mots',
  hideWords: 'Masquer les mots',
  filter: 'Quels mots',
  allWords: 'Tous les mots',
  states: { new: 'Nouveau', learning: 'En cours', known: 'Acquis', suspended: 'Suspendu' },
  search: 'Chercher par le début',
  moreWords: 'Plus de mots',
  wordDue: 'à réviser maintenant',
  dueOn: (date) => `à réviser le ${date}`,
  suspend: 'Suspendre',
  resume: 'Reprendre',
};
