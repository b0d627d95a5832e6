// The texts about progress in Italian.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const itLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'parola da ripassare', 'parole da ripassare'),
  nothingDue: 'Per ora niente da ripassare',
  streak: (days) => plural(days, 'giorno di fila', 'giorni di fila'),
  reviewedToday: (answers) => plural(answers, 'risposta oggi', 'risposte oggi'),
  practiseDue: (words) => `Ripassa ${plural(words, 'parola', 'parole')}`,

  more: 'Altro',
  title: 'I tuoi progressi',
  empty: 'Ancora niente. Fai un quiz e qui vedrai quello che sai.',
  byWords: 'Le tue parole',
  calendar: 'Le ultime 12 settimane',
  answers: (answers) => plural(answers, 'risposta', 'risposte'),
  calendarMore: (answers, days) => `${answers} in ${plural(days, 'giorno', 'giorni')}`,
  known: (words) => plural(words, 'imparata', 'imparate'),
  learning: (words) => `${words} in corso`,
  fresh: (words) => plural(words, 'nuova', 'nuove'),
  practise: 'Ripassa',

  forecast: 'Da ripassare nei prossimi 7 giorni',
  today: 'Oggi',
  showWords: 'Mostra le parole',
  hideWords: 'Nascondi le parole',
  filter: 'Quali parole',
  allWords: 'Tutte le parole',
  states: { new: 'Nuova', learning: 'In corso', known: 'Imparata', suspended: 'Sospesa' },
  search: 'Cerca dalle prime lettere',
  moreWords: 'Altre parole',
  wordDue: 'da ripassare ora',
  dueOn: (date) => `da ripassare il ${date}`,
  suspend: 'Sospendi',
  resume: 'Riprendi',
};
