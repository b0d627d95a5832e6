// What is stored is what was told: results that equal the end of the game, one for each game, and
// everybody a member whose joining was acknowledged. [contract 4, 5.7]
import type { ServerEvent } from '../../../src/realtime/schema.ts';
import type { LobbyHistory, Violation } from '../history.ts';

export function checkStored(history: LobbyHistory, log: readonly ServerEvent[]): Violation[] {
  const { stored, members, joined, leaving } = history;
  const violations: Violation[] = [];
  const complain = (text: string) => violations.push({ kind: 'stored', text });
  const told = log.filter((event) => event.type === 'game:finished');
  for (const event of told) {
    const games = stored.filter(({ gameId }) => gameId === event.gameId);
    if (games.length !== 1) complain(`game ${event.gameId} is stored ${games.length} times`);
    for (const game of games) {
      const scores = game.scores.map(({ userId, name, score }) => ({ userId, name, score }));
      const [is, should] = [
        { scores, winnerIds: game.winnerIds },
        { scores: event.scores, winnerIds: event.winnerIds },
      ].map((result) => JSON.stringify(result));
      if (is !== should) complain(`stored is ${is}, told was ${should}`);
    }
  }
  const untold = stored.filter(({ gameId }) => !told.some((event) => event.gameId === gameId));
  for (const { gameId } of untold)
    complain(`game ${gameId} is stored, and nobody was told its end`);
  for (const userId of joined)
    if (!members.includes(userId) && !leaving.includes(userId))
      complain(`${userId} has joined, and is no member`);
  return violations;
}
