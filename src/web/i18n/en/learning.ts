// The texts about progress in English.
import { plural } from '../plural.ts';

export const enLearning = {
  dueNow: (words: number) => plural(words, 'word is due', 'words are due'),
  nothingDue: 'Nothing is due right now',
  streak: (days: number) => plural(days, 'day in a row', 'days in a row'),
  reviewedToday: (answers: number) => plural(answers, 'answer today', 'answers today'),
  practiseDue: (words: number) => `Practise ${plural(words, 'due word', 'due words')}`,

  more: 'More to do',
  title: 'Your progress',
  empty: 'Nothing yet. Play a quiz, and what you know is kept here.',
  byWords: 'Your words',
  calendar: 'The last 12 weeks',
  answers: (answers: number) => plural(answers, 'answer', 'answers'),
  calendarMore: (answers: string, days: number) => `${answers} on ${plural(days, 'day', 'days')}`,
  known: (words: number) => `${words} known`,
  learning: (words: number) => `${words} being learned`,
  fresh: (words: number) => `${words} new`,
  practise: 'Practise',

  forecast: 'Due in the next 7 days',
  today: 'Today',
  showWords: 'Show words',
  hideWords: 'Hide words',
  filter: 'Which words',
  allWords: 'All words',
  states: { new: 'New', learning: 'Being learned', known: 'Known', suspended: 'Suspended' },
  search: 'Find by the first letters',
  moreWords: 'More words',
  wordDue: 'due now',
  dueOn: (date: string) => `due on ${date}`,
  suspend: 'Suspend',
  resume: 'Resume',
};
