// The texts of past games in Spanish.
import type { Texts } from '../en/index.ts';

export const esGames: Texts['games'] = {
  title: 'Partidas anteriores',
  none: 'Todavía ninguna partida terminada. Invita a tus amigos a la primera.',
  older: 'Partidas más antiguas',
  presented: 'Presentaste',
  from: (day) => `Partida del ${day}`,
  missedNone: 'No fallaste ninguna palabra.',
  grouped: 'Agrupadas',
  byWord: 'Por palabra',
  byPlayer: 'Por jugador',
  right: 'correcta',
  close: 'casi',
  wrong: 'incorrecta',
  review: 'Cómo fue',
  hardest: 'Las palabras más difíciles',
  help: 'Quién necesita ayuda',
  helpNobody: 'Todos acertaron al menos la mitad.',
  helpMore: (count) =>
    `${count === 1 ? '1 persona acertó' : `${count} personas acertaron`} menos de la mitad`,
  often: (answer) => `a menudo: «${answer}»`,
  gradebook: 'Hoja de notas (CSV)',
  eachAnswer: 'Cada respuesta (CSV)',
  player: 'Nombre',
  rightAnswers: 'Bien',
  word: 'Palabra',
  seconds: 'Segundos',
  answer: 'Respuesta',
  noRounds: 'Las respuestas de esta partida no se han guardado.',
};
