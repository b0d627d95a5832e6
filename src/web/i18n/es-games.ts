// Las partidas pasadas, en español.
import type { Texts } from './en.ts';

export const esGames: Texts['games'] = {
  title: 'Partidas anteriores',
  none: 'Todavía ninguna partida terminada. Invita a tus amigos a la primera.',
  older: 'Partidas más antiguas',
  place: (place, players) => `${place} de ${players}`,
  presented: 'Presentaste',
  from: (day) => `Partida del ${day}`,
  missedNone: 'No fallaste ninguna palabra.',
  grouped: 'Agrupadas',
  byWord: 'Por palabra',
  byPlayer: 'Por jugador',
  right: 'correcta',
  wrong: 'incorrecta',
  download: 'Descargar como tabla (CSV)',
  noRounds: 'Las respuestas de esta partida no se han guardado.',
};
