// Lo que se ha aprendido, en español.
import type { Texts } from './en.ts';

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const esLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'palabra por repasar', 'palabras por repasar'),
  nothingDue: 'Ahora no hay nada que repasar',
  streak: (days) => plural(days, 'día seguido', 'días seguidos'),
  reviewedToday: (answers) => plural(answers, 'respuesta hoy', 'respuestas hoy'),
  practiseDue: (words) => `Repasar ${plural(words, 'palabra', 'palabras')}`,
};
