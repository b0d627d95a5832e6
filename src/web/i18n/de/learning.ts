// The texts about progress in German.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const deLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'Wort ist fällig', 'Wörter sind fällig'),
  nothingDue: 'Gerade ist nichts fällig',
  streak: (days) => plural(days, 'Tag in Folge', 'Tage in Folge'),
  reviewedToday: (answers) => plural(answers, 'Antwort heute', 'Antworten heute'),
  practiseDue: (words) => `${plural(words, 'fälliges Wort', 'fällige Wörter')} üben`,

  more: 'Mehr',
  title: 'Dein Fortschritt',
  empty: 'Noch nichts. Spiel ein Quiz, und was du kannst, steht dann hier.',
  byWords: 'Deine Wörter',
  calendar: 'Die letzten 12 Wochen',
  answers: (answers) => plural(answers, 'Antwort', 'Antworten'),
  calendarMore: (answers, days) => `${answers} an ${plural(days, 'Tag', 'Tagen')}`,
  known: (words) => `${words} gekonnt`,
  learning: (words) => `${words} in Arbeit`,
  fresh: (words) => `${words} neu`,
  practise: 'Üben',

  forecast: 'Fällig in den nächsten 7 Tagen',
  today: 'Heute',
  showWords: 'Wörter zeigen',
  hideWords: 'Wörter ausblenden',
  filter: 'Welche Wörter',
  allWords: 'Alle Wörter',
  states: { new: 'Neu', learning: 'In Arbeit', known: 'Gekonnt', suspended: 'Ausgesetzt' },
  search: 'Wortanfang suchen',
  moreWords: 'Weitere Wörter',
  wordDue: 'jetzt fällig',
  dueOn: (date) => `fällig am ${date}`,
  suspend: 'Aussetzen',
  resume: 'Wieder üben',
};
