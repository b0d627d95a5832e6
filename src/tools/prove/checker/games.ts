// Judges the games of a lobby: the order of rounds, why each ended, who took part, and who won. Stored results equal
// the published ones, and the judged answers are those that players gave. [contract 4, 5.4, 5.5, 5.7, 10]
import type { ServerEvent } from '../../../client/types.ts';
import type { Score } from '../../../match/schema.ts';
import type { AnswerResultEvent, Client, LobbyHistory, Sent, StoredGame } from '../history.ts';
import { type GameEvent, type LobbyLog, unequal, type Wrong } from './log.ts';

/** The points of a right answer, and for each one in a row before it. [contract 4, 11] */
const SPEED_POINTS = { min: 500, max: 1000 };
const STREAK = { points: 100, max: 5 };

/** Replays the finished games of which no event was hidden. After a failover a game may have no end. */
export function* wrongGames({ history, games, wholeGames, losses }: LobbyLog): Generator<Wrong> {
  for (const [gameId, events] of games) {
    const end = events.at(-1);
    if (end?.type !== 'game:finished') {
      if (losses.length === 0) yield [`game ${gameId} has no end`, end];
    } else if (wholeGames.has(gameId)) yield* replayGame(history, events, losses.length > 0);
  }
}

/** @param isLossy whether a failover may have made the game end twice, where the first stored end counts */
function* replayGame(history: LobbyHistory, events: readonly GameEvent[], isLossy: boolean): Generator<Wrong> {
  const { settings, leaving, kicked, clients } = history;
  const gone = [...leaving, ...kicked];
  const results = events.filter((event) => event.type === 'game:answer_result');
  const order = events.map((event) => `${event.type} ${'round' in event ? event.round : ''}`.trim());
  const rounds = results.flatMap((_, index) => [`game:question ${index + 1}`, `game:answer_result ${index + 1}`]);
  if (order.join() !== [...rounds, 'game:finished'].join()) {
    yield [`the rounds are out of order: ${order.join(', ')}`, events[0]];
    return;
  }
  const { totalRounds } = events[0] as Extract<ServerEvent, { type: 'game:question' }>;
  /** Whether each player of the game has left, by user id. */
  const players = new Map<string, boolean>();
  const isEmpty = () => [...players.values()].every((hasLeft) => hasLeft);
  const sums = new Map<string, number>();
  let streaks = new Map<string, number>();
  for (const result of results) {
    const { round, answers = [] } = result;
    if (round > totalRounds || (round > 1 && isEmpty()))
      yield [`round ${round} was played after the game was over`, result];
    for (const text of wrongEnd(result, players, settings.waitFor === 'present'))
      yield [`round ${round}: ${text}`, result];
    const counted = [...answers, ...answersOfLeavers(history, result, sums)];
    for (const { userId, isCorrect, points } of counted) {
      if (!isPossible(settings.scoring, isCorrect, points, streaks.get(userId) ?? 0))
        yield [`${points} points for an answer that is ${isCorrect ? 'right' : 'wrong'}`, result];
      sums.set(userId, (sums.get(userId) ?? 0) + points);
    }
    const right = counted.filter(({ isCorrect }) => isCorrect);
    // A player without a right answer loses the streak.
    streaks = new Map(right.map(({ userId }) => [userId, (streaks.get(userId) ?? 0) + 1]));
    for (const text of wrongScores(result.scores, sums)) yield [`round ${round}: ${text}`, result];
  }
  // A game also ends in an intermission if all its players have left. [contract 11]
  const isDeserted = [...players].every(([userId, hasLeft]) => hasLeft || gone.includes(userId));
  const isEnded = clients.some(({ sent }) => sent.some(({ message }) => message.type === 'game:end'));
  const isWhole = results.length === totalRounds || isEmpty();
  const end = events.at(-1) as Extract<ServerEvent, { type: 'game:finished' }>;
  if (!isWhole && !isDeserted && !isEnded) yield [`the game ended before its last round`, end];
  for (const result of results)
    for (const text of wrongPause(result, results.length, isWhole, settings.intermissionMs)) yield [text, result];
  if (!isLossy) for (const text of wrongScores(end.scores, sums)) yield [`the end: ${text}`, end];
  if (end.winnerIds.toSorted().join() !== winnersOf(end.scores).toSorted().join())
    yield [`other winners: ${end.winnerIds.join(', ')}`, end];
}

/**
 * A result does not list the answer of a player who has left, but its points are in the scores. [contract 5.2, 10]
 * @param sums everybody's score before this result
 * @returns the answers that only the scores show
 */
function answersOfLeavers(history: LobbyHistory, result: AnswerResultEvent, sums: ReadonlyMap<string, number>) {
  const { leaving, kicked, clients } = history;
  const { answers = [], scores, questionId, correctOptionId } = result;
  return scores.flatMap(({ userId, score }) => {
    const points = score - (sums.get(userId) ?? 0);
    const isGone = leaving.includes(userId) || kicked.includes(userId);
    if (points === 0 || !isGone || answers.some((answer) => answer.userId === userId)) return [];
    const own = clients.filter(({ user }) => user.id === userId);
    const isCorrect = answersOf(own, questionId).some(({ optionId }) => optionId === correctOptionId);
    return isCorrect ? [{ userId, isCorrect, points }] : [];
  });
}

/**
 * Checks what a result says about the event that follows it. [contract 11]
 * @param played the number of rounds that the game had
 * @param isWhole whether nobody has ended the game early
 */
function* wrongPause(result: AnswerResultEvent, played: number, isWhole: boolean, intermissionMs?: number) {
  const { round, isLast, nextInMs, reason } = result;
  const isTheLast = round === played;
  if (isLast ? !isTheLast : isTheLast && isWhole) yield `round ${round} has isLast ${isLast}`;
  const isEnd = isLast && !isWhole && reason === 'skipped';
  if (isEnd && nextInMs !== 0) yield `the game was ended, and goes on in ${nextInMs} ms`;
  if (nextInMs > (intermissionMs ?? nextInMs)) yield `what comes next is ${nextInMs} ms away`;
}

/**
 * A round ends when everybody who is awaited has answered or left, or its time is over, and not otherwise. A player
 * whom it does not list has left.
 * @param players the players of the game before this result, which are updated
 * @param isForPresent whether the round waits for present players alone: no client sees who else was absent
 */
function* wrongEnd(result: AnswerResultEvent, players: Map<string, boolean>, isForPresent: boolean) {
  const { reason, scores, answers = [], correctOptionId } = result;
  // The timer or the host ended the round. The host may do so at any moment.
  const isCut = reason === 'timeout' || reason === 'skipped';
  const given = new Map(answers.map(({ userId, selectedOptionId = null }) => [userId, selectedOptionId]));
  if (given.size < answers.length) yield 'a player is listed twice';
  for (const { userId, selectedOptionId, isCorrect } of answers) {
    if (isCorrect !== (selectedOptionId === correctOptionId))
      yield `the answer of ${userId} is judged otherwise than by the solution`;
    if (players.get(userId)) yield `${userId} is listed, and has left before`;
    if (!scores.some((score) => score.userId === userId)) yield `${userId} is listed without a score`;
  }
  const entered = scores.map(({ userId }) => userId).filter((userId) => !players.has(userId));
  // A player who enters after the last awaited answer is not awaited, and can't answer.
  const isAwaited = (userId: string) => isCut || given.get(userId) !== null;
  const awaited = [...players].flatMap(([userId, hasLeft]) => (hasLeft ? [] : userId));
  awaited.push(...entered.filter(isAwaited));
  for (const userId of entered) players.set(userId, false);
  for (const userId of players.keys()) if (!given.has(userId)) players.set(userId, true);
  const isLeaver = (userId: string) => !given.has(userId);
  const isSilent = awaited.some((userId) => given.get(userId) === null);
  const hasAnswers = awaited.some((userId) => (given.get(userId) ?? null) !== null);
  const isEarly = isForPresent ? !hasAnswers && ![...players.values()].includes(true) : isSilent || !hasAnswers;
  if (reason === 'all_answered' && isEarly) yield 'it ended before everybody had answered';
  if (reason === 'player_left' && (isSilent || !awaited.some(isLeaver))) yield 'it ended as if a player had left';
  if (isCut && hasAnswers && !isSilent && !awaited.some(isLeaver)) yield 'it went on after everybody had answered';
}

/** @param streak the number of right answers in a row before this one */
function isPossible(scoring: string, isCorrect: boolean, points: number, streak: number): boolean {
  if (!isCorrect) return points === 0;
  if (scoring === 'accuracy') return points === 1;
  const extra = scoring === 'streak' ? STREAK.points * Math.min(streak, STREAK.max) : 0;
  return points - extra >= SPEED_POINTS.min && points - extra <= SPEED_POINTS.max;
}

/** The scores list every player of the game with the sum of their points, highest first. */
function* wrongScores(scores: readonly Score[], sums: ReadonlyMap<string, number>): Generator<string> {
  for (const { name, score, userId } of scores)
    if (score !== (sums.get(userId) ?? 0)) yield `${name} has ${score}, not ${sums.get(userId) ?? 0}`;
  for (const id of sums.keys())
    if (!scores.some(({ userId }) => userId === id)) yield `${id} is missing from the scores`;
  if (scores.some(({ score }, index) => score > (scores[index - 1]?.score ?? score)))
    yield 'the scores are not in their order';
}

/** @param scores in the order in which the players entered the game, which decides between equals */
export const ranked = (scores: readonly Score[]): Score[] => scores.toSorted((a, b) => b.score - a.score);

/** @returns the ids of all players with the highest score */
export function winnersOf(scores: readonly Score[]): string[] {
  const highest = Math.max(...scores.map(({ score }) => score));
  return scores.filter(({ score }) => score === highest).map(({ userId }) => userId);
}

/** @returns 1 + the number of players with a higher score */
export const rankOf = (score: number, scores: readonly Score[]): number =>
  1 + scores.filter((other) => other.score > score).length;

export function* wrongStored({ history, log, games, wholeGames }: LobbyLog): Generator<Wrong> {
  const { stored, members, joins, leaving, kicked, clients } = history;
  for (const event of log) {
    if (event.type !== 'game:finished') continue;
    const found = stored.filter(({ gameId }) => gameId === event.gameId);
    if (found.length !== 1) yield [`game ${event.gameId} is stored ${found.length} times`, event];
    for (const game of found) {
      const scores = game.scores.map(({ userId, name, score }) => ({ userId, name, score }));
      const is = { scores, winnerIds: game.winnerIds };
      const texts = [
        ...unequal('stored', is, { scores: event.scores, winnerIds: event.winnerIds }),
        ...(wholeGames.has(event.gameId) ? wrongRounds(game, games.get(event.gameId) ?? []) : []),
      ];
      for (const text of texts) yield [text, event];
    }
  }
  // A failover may have removed the end from the lobby's log since.
  const heard = clients.flatMap(({ received }) => received.map(({ event }) => event));
  for (const { gameId, finishedAt } of stored) {
    const isTold = heard.some((event) => event.type === 'game:finished' && event.gameId === gameId);
    if (!isTold && isAnyoneThere(history, Date.parse(finishedAt)))
      yield [`game ${gameId} is stored, but no client received its end`];
  }
  // A waiting lobby is closed when its host leaves.
  const isClosed = log.some(({ type }) => type === 'lobby:closed');
  if (isClosed && members.length > 0) yield [`a closed lobby has ${members.length} members`];
  const known = [...members, ...leaving, ...kicked];
  for (const { userId, refusal } of isClosed ? [] : joins)
    if (refusal === null && !known.includes(userId)) yield [`${userId} has joined, but is no member`];
}

/** Whether a client was still connected at a time: nobody hears the end of a game that all have left before. */
function isAnyoneThere({ clients }: LobbyHistory, atMs: number): boolean {
  const connections = clients.flatMap((client) => client.connections);
  return connections.some(({ openedAtMs, closedAtMs }) => openedAtMs !== null && (closedAtMs ?? atMs) >= atMs);
}

/** Each round is stored as its result was published. [contract 13] */
function wrongRounds({ rounds }: StoredGame, events: readonly GameEvent[]): string[] {
  const told = events.filter((event) => event.type === 'game:answer_result');
  const pairs = told.map((event, index) => [event, rounds[index]].map((of) => of && publishedPart(of)));
  return [
    ...unequal('the number of stored rounds', rounds.length, told.length),
    ...pairs.flatMap(([should, is]) => unequal(`round ${should?.round} as stored`, is, should)),
  ];
}

/** @returns what a stored round and its published result have in common */
function publishedPart(of: StoredGame['rounds'][number] | AnswerResultEvent) {
  const { round, questionId, correctOptionId, correctText, nonce, reason } = of;
  const answers = of.answers?.map((answer) => ({ ...answer, elapsedMs: undefined }));
  return { round, questionId, correctOptionId, correctText, nonce, reason, answers };
}

/** A failover may lose writes from this long before it was noticed, ms. */
const MARGIN_MS = 5000;

/**
 * Compares a user's judged answers with the sent ones.
 * @param clients all clients of the user; the first stored answer of any of them counts
 * @returns the number of judged answers, NaN if it can't be known, and of those whose loss a failover explains
 */
export function judgeAnswers(clients: readonly Client[], { log, losses }: Pick<LobbyLog, 'log' | 'losses'>) {
  const [user] = clients.map((client) => client.user);
  const wrong: Wrong[] = [];
  let judged = 0;
  let lost = 0;
  let total = { gameId: '', score: 0 };
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    const { gameId } = event;
    const before = total.gameId === gameId ? total.score : 0;
    total = { gameId, score: event.scores.find(({ userId }) => userId === user?.id)?.score ?? 0 };
    const sent = answersOf(clients, event.questionId);
    const given = sent[0]?.optionId ?? null;
    const listed = event.answers?.find(({ userId }) => userId === user?.id);
    // A result does not list a player who has left. Only points show that a right answer counted.
    const isCounted = total.score > before || given !== event.correctOptionId;
    const unlisted = isCounted ? given : null;
    const counted = listed ? listed.selectedOptionId : unlisted;
    if (!listed && sent.some(({ refusal }) => !refusal)) judged = Number.NaN;
    if (listed && typeof counted === 'number') judged++;
    if (counted === given) continue;
    const text = `${user?.name} answered ${given} in round ${event.round}, but ${counted} was judged`;
    const isLoss = losses.some(({ fromMs, toMs }) =>
      sent.some(({ atMs }) => atMs >= fromMs - MARGIN_MS && atMs <= toMs + MARGIN_MS),
    );
    if (counted !== null) wrong.push([text, event]);
    else if (sent.some(isStanding)) {
      if (isLoss) lost++;
      else wrong.push([`${text}, though the answer was accepted`, event]);
    }
  }
  return { wrong, judged, lost };
}

/** @returns the answers that a user has sent to a question, in their order on each client */
export function answersOf(clients: readonly Client[], questionId: string) {
  return clients.flatMap(({ sent }) =>
    sent.flatMap(({ message, ...how }) =>
      message.type === 'game:answer' && message.questionId === questionId
        ? { ...how, optionId: message.optionId ?? null }
        : [],
    ),
  );
}

/** Whether the client knows that its answer was stored. */
export function isStanding({ refusal, replies }: Pick<Sent, 'refusal' | 'replies'>): boolean {
  return replies.includes('ack') || refusal?.reason === 'ALREADY_ANSWERED';
}
