// What a whole room reads, in English.

export const enStage = {
  open: 'Show on a projector',
  join: 'Join the game',
  players: (count: number) => `${count} ${count === 1 ? 'player' : 'players'}`,
  nobodyYet: 'Names appear here as people join.',
  answered: (answered: number, awaited: number) => `${answered} of ${awaited} have answered`,
  keys: 'Space or → goes on, F is full screen.',
  fullScreenKey: 'F is full screen.',
  fullScreen: 'Full screen',
  leaveRunning: 'The game goes on without you: another player becomes the host.',
};
