// What is stored is what was told: results that equal the end of the game, one for each game, and
// everybody a member whose joining was acknowledged. [contract 4, 5.7]
import type { ServerEvent } from '../../client/types.ts';
import type { LobbyHistory, StoredGame, Violation } from '../history.ts';

type Result = Extract<ServerEvent, { type: 'game:answer_result' }>;

export function checkStored(history: LobbyHistory, log: readonly ServerEvent[]): Violation[] {
  const { stored, members, joined, leaving, kicked } = history;
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
      for (const text of wrongRounds(game, log)) complain(text);
    }
  }
  // A failover may have turned the lobby back behind it since.
  const everTold = endsTold(history);
  for (const { gameId } of stored)
    if (!everTold.has(gameId)) complain(`game ${gameId} is stored, and nobody was told its end`);
  // A waiting lobby goes with its host.
  const isClosed = log.some(({ type }) => type === 'lobby:closed');
  if (isClosed && members.length > 0) complain(`a closed lobby has ${members.length} members`);
  for (const userId of isClosed ? [] : joined)
    if (![members, leaving, kicked].some((ids) => ids.includes(userId)))
      complain(`${userId} has joined, and is no member`);
  return violations;
}

/** @returns the games whose end some client was told at some time */
function endsTold({ clients }: LobbyHistory): Set<string> {
  const heard = clients.flatMap(({ received }) => received.map(({ event }) => event));
  return new Set(heard.flatMap((event) => (event.type === 'game:finished' ? event.gameId : [])));
}

/** Each round is stored as its result was told. [contract 13] */
function* wrongRounds({ gameId, rounds }: StoredGame, log: readonly ServerEvent[]) {
  if (!rounds) return;
  const told = log.filter(
    (event) => event.type === 'game:answer_result' && event.gameId === gameId,
  ) as Result[];
  if (rounds.length !== told.length)
    yield `${rounds.length} rounds are stored, ${told.length} were told`;
  for (const { round, questionId, correctOptionId, nonce, reason, answers } of told) {
    const stored = rounds.find((of) => of.round === round);
    const should = JSON.stringify({ questionId, correctOptionId, nonce, reason, answers });
    const is =
      stored &&
      JSON.stringify({
        questionId: stored.questionId,
        correctOptionId: stored.correctOptionId,
        nonce: stored.nonce,
        reason: stored.reason,
        answers: stored.answers.map(({ elapsedMs: _, ...answer }) => answer),
      });
    if (is !== should) yield `round ${round} is stored as ${is}, told was ${should}`;
  }
}
