// Was man gelernt hat, auf Deutsch.
import type { Texts } from './en.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const deLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'Wort ist fällig', 'Wörter sind fällig'),
  nothingDue: 'Gerade ist nichts fällig',
  streak: (days) => plural(days, 'Tag in Folge', 'Tage in Folge'),
  reviewedToday: (answers) => plural(answers, 'Antwort heute', 'Antworten heute'),
  practiseDue: (words) => `${plural(words, 'fälliges Wort', 'fällige Wörter')} üben`,
};
