// Stored results equal the published ones, and the judged answers are the given ones: an accepted answer counts, and
// nothing counts that nobody gave. [contract 4, 5.4, 5.7]
import type { ServerEvent } from '../../../client/types.ts';
import {
  type AnswerResultEvent,
  type Client,
  type LobbyHistory,
  type Sent,
  type Span,
  type StoredGame,
  type Violation,
  violationOf,
} from '../history.ts';

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
  for (const event of told) {
    const stored = rounds.find(({ round }) => round === event.round);
    const answers = stored?.answers.map(({ elapsedMs: _, text: __, ...answer }) => answer);
    const [is, should] = [stored && { ...stored, answers }, event].map(
      (of) => of && JSON.stringify(ROUND_FIELDS.map((field) => of[field])),
    );
    if (is !== should) yield `round ${event.round} is stored as ${is}, but was published as ${should}`;
  }
}

/** The fields that a stored round and its published result have in common. */
const ROUND_FIELDS = [
  'questionId',
  'correctOptionId',
  'correctText',
  'accepted',
  'nonce',
  'reason',
  'answers',
] as const;

// The judged answers are the given ones: an accepted answer counts, and nothing counts that nobody gave. [contract 5.4]

/** A failover may lose writes from this long before it was noticed, ms. */
const MARGIN_MS = 5000;

/**
 * @param clients all clients of one user; the first stored answer of any of them counts
 * @param losses the periods in which Redis may have lost writes
 * @returns the violations, and the number of answers that a failover explains
 */
export function checkAnswers(
  clients: readonly Client[],
  log: readonly ServerEvent[],
  losses: readonly Span[],
): { violations: Violation[]; lost: number } {
  const [user] = clients.map((client) => client.user);
  const violations: Violation[] = [];
  let lost = 0;
  let total = { gameId: '', score: 0 };
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    const { gameId } = event;
    const before = total.gameId === gameId ? total.score : 0;
    total = { gameId, score: event.scores.find(({ userId }) => userId === user?.id)?.score ?? 0 };
    const judged = event.answers?.find(({ userId }) => userId === user?.id);
    const sent = clients.flatMap((client) =>
      client.sent.flatMap(({ message, ...how }) =>
        message.type === 'game:answer' && message.questionId === event.questionId ? [{ ...how, message }] : [],
      ),
    );
    const given = sent[0]?.message.optionId ?? null;
    // A result does not list a player who has left. Only points show that a right answer counted.
    const isCounted = total.score > before || given !== event.correctOptionId;
    const counted = judged ? judged.selectedOptionId : isCounted ? given : null;
    if (counted === given) continue;
    const text = `${user?.name} answered ${given} in round ${event.round}, but ${counted} was judged`;
    if (counted !== null) violations.push(violationOf('answers', text, event));
    else if (sent.some(isStanding)) {
      const isLoss = losses.some(({ fromMs, toMs }) =>
        sent.some(({ atMs }) => atMs >= fromMs - MARGIN_MS && atMs <= toMs + MARGIN_MS),
      );
      if (isLoss) lost++;
      else violations.push(violationOf('answers', `${text}, though the answer was accepted`, event));
    }
  }
  return { violations, lost };
}

/** Whether the client knows that its answer was stored. */
export function isStanding({ refusal, replies }: Pick<Sent, 'refusal' | 'replies'>): boolean {
  return replies.includes('ack') || refusal?.reason === 'ALREADY_ANSWERED';
}
