// The texts about progress in Spanish.
import type { Texts } from '../en/index.ts';
import { plural } from '../plural.ts';

export const esLearning: Texts['learning'] = {
  dueNow: (words) => plural(words, 'palabra por repasar', 'palabras por repasar'),
  nothingDue: 'Ahora no hay nada que repasar',
  streak: (days) => plural(days, 'día seguido', 'días seguidos'),
  reviewedToday: (answers) => plural(answers, 'respuesta hoy', 'respuestas hoy'),
  practiseDue: (words) => `Repasar ${plural(words, 'palabra', 'palabras')}`,

  more: 'Más',
  title: 'Tu progreso',
  empty: 'Todavía nada. Juega un quiz y aquí verás lo que ya sabes.',
  byWords: 'Tus palabras',
  calendar: 'Las últimas 12 semanas',
  answers: (answers) => plural(answers, 'respuesta', 'respuestas'),
  calendarMore: (answers, days) => `${answers} en ${plural(days, 'día', 'días')}`,
  known: (words) => plural(words, 'aprendida', 'aprendidas'),
  learning: (words) => `${words} en curso`,
  fresh: (words) => plural(words, 'nueva', 'nuevas'),
  practise: 'Repasar',

  forecast: 'Por repasar en los próximos 7 días',
  today: 'Hoy',
  showWords: 'Mostrar palabras',
  hideWords: 'Ocultar palabras',
  filter: 'Qué palabras',
  allWords: 'Todas las palabras',
  states: { new: 'Nueva', learning: 'En curso', known: 'Aprendida', suspended: 'Suspendida' },
  search: 'Buscar por el principio',
  moreWords: 'Más palabras',
  wordDue: 'toca repasarla ya',
  dueOn: (date) => `toca el ${date}`,
  suspend: 'Suspender',
  resume: 'Reanudar',
};
