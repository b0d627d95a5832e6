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
  download: 'Descargar como tabla (CSV)',
  noRounds: 'Las respuestas de esta partida no se han guardado.',
};
