// Stored results equal the published ones: one result for each finished game, equal to its `game:finished`, and
// a membership for every acknowledged join. [contract 4, 5.7]
import type { ServerEvent } from '../../../client/types.ts';
import type { AnswerResultEvent, LobbyHistory, StoredGame, Violation } from '../history.ts';
import { violationOf } from './violation.ts';

/**
 * @param wholeGames the games of which no event was hidden from all clients; a round of another one may have been
 *   played on after its result was sent
 */
export function checkStored(
  history: LobbyHistory,
  log: readonly ServerEvent[],
  wholeGames: ReadonlySet<string>,
): Violation[] {
  const { stored, members, joined, leaving, kicked } = history;
  const violations: Violation[] = [];
  const complain = (text: string, event?: ServerEvent) => violations.push(violationOf('stored', text, event));
  const told = log.filter((event) => event.type === 'game:finished');
  for (const event of told) {
    const games = stored.filter(({ gameId }) => gameId === event.gameId);
    if (games.length !== 1) complain(`game ${event.gameId} is stored ${games.length} times`, event);
    for (const game of games) {
      const scores = game.scores.map(({ userId, name, score }) => ({ userId, name, score }));
      const [is, should] = [
        { scores, winnerIds: game.winnerIds },
        { scores: event.scores, winnerIds: event.winnerIds },
      ].map((result) => JSON.stringify(result));
      if (is !== should) complain(`stored is ${is}, but the clients received ${should}`, event);
      if (wholeGames.has(event.gameId)) for (const text of wrongRounds(game, log)) complain(text, event);
    }
  }
  // A failover may have removed the end from the lobby's log since.
  const everTold = endsTold(history);
  for (const { gameId, finishedAt } of stored)
    if (!everTold.has(gameId) && isHeard(history, Date.parse(finishedAt)))
      complain(`game ${gameId} is stored, but no client received its end`);
  // A waiting lobby is closed when its host leaves.
  const isClosed = log.some(({ type }) => type === 'lobby:closed');
  if (isClosed && members.length > 0) complain(`a closed lobby has ${members.length} members`);
  for (const userId of isClosed ? [] : joined)
    if (![members, leaving, kicked].some((ids) => ids.includes(userId)))
      complain(`${userId} has joined, but is no member`);
  return violations;
}

/** Whether a client was still connected at a time: nobody hears the end of a game that all have left before. */
function isHeard({ clients }: LobbyHistory, atMs: number): boolean {
  const connections = clients.flatMap((client) => client.connections);
  return connections.some(
    ({ openedAtMs, closedAtMs }) => openedAtMs !== null && (closedAtMs === null || closedAtMs >= atMs),
  );
}

/** @returns the ids of the games whose end some client received */
function endsTold({ clients }: LobbyHistory): Set<string> {
  const heard = clients.flatMap(({ received }) => received.map(({ event }) => event));
  return new Set(heard.flatMap((event) => (event.type === 'game:finished' ? event.gameId : [])));
}

/** Each round is stored as its result was published. [contract 13] */
function* wrongRounds({ gameId, rounds }: StoredGame, log: readonly ServerEvent[]) {
  if (!rounds) return;
  const told = log.filter(
    (event) => event.type === 'game:answer_result' && event.gameId === gameId,
  ) as AnswerResultEvent[];
  if (rounds.length !== told.length) yield `${rounds.length} rounds are stored, ${told.length} were published`;
  for (const { round, questionId, correctOptionId, correctText, accepted, nonce, ...of } of told) {
    const { reason, answers } = of;
    const stored = rounds.find((one) => one.round === round);
    const solution = { correctOptionId, correctText, accepted, nonce };
    const should = JSON.stringify({ questionId, ...solution, reason, answers });
    const is =
      stored &&
      JSON.stringify({
        questionId: stored.questionId,
        correctOptionId: stored.correctOptionId,
        correctText: stored.correctText,
        accepted: stored.accepted,
        nonce: stored.nonce,
        reason: stored.reason,
        answers: stored.answers.map(({ elapsedMs: _, text: __, ...answer }) => answer),
      });
    if (is !== should) yield `round ${round} is stored as ${is}, but was published as ${should}`;
  }
}
