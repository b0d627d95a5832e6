// The texts of past games in English.

export const enGames = {
  title: 'Past games',
  none: 'No finished game yet. Invite your friends to the first one.',
  older: 'Older games',
  presented: 'You presented',
  from: (day: string) => `Game of ${day}`,
  missedNone: 'You missed no word.',
  grouped: 'Grouped',
  byWord: 'By word',
  byPlayer: 'By player',
  right: 'right',
  close: 'almost',
  wrong: 'wrong',
  download: 'Download as a table (CSV)',
  noRounds: 'The answers of this game were not kept.',
};
