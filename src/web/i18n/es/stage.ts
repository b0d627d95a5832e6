// The texts of the projector's screens in Spanish.
import type { enStage } from '../en/stage.ts';

export const esStage: typeof enStage = {
  open: 'Mostrar en el proyector',
  join: 'Únete a la partida',
  players: (count) => (count === 1 ? '1 jugador' : `${count} jugadores`),
  nobodyYet: 'Aquí aparecerán los nombres de quienes entren.',
  answered: (answered, awaited) => `Han respondido ${answered} de ${awaited}`,
  keys: 'Espacio, → o un mando para seguir, F para pantalla completa.',
  fullScreenKey: 'F para pantalla completa.',
  fullScreen: 'Pantalla completa',
  hardestAgain: (words) => `Jugar otra vez las ${words} más difíciles`,
  hardestOf: (words) => `Las más difíciles: ${words}`,
  leaveRunning: 'La partida sigue sin ti: la organizará otra persona.',
};
