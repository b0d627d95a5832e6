// What one has learned, in English.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const enLearning = {
  dueNow: (words: number) => plural(words, 'word is due', 'words are due'),
  nothingDue: 'Nothing is due right now',
  streak: (days: number) => plural(days, 'day in a row', 'days in a row'),
  reviewedToday: (answers: number) => plural(answers, 'answer today', 'answers today'),
  practiseDue: (words: number) => `Practise ${plural(words, 'due word', 'due words')}`,
};
