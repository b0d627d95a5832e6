// Replays every game by what the results say of the answers: the order of rounds, why each ended, who took part, what was
// answered, and who won. [contract 5.4, 5.5, 10]
import type { ServerEvent } from '../../../client/types.ts';
import type { Score } from '../../../match/schema.ts';
import { type AnswerResultEvent, type LobbyHistory, type Violation, violationOf } from '../history.ts';

export type GameEvent = Extract<ServerEvent, { gameId: string }>;
type Finished = Extract<ServerEvent, { type: 'game:finished' }>;

const SPEED_POINTS = { min: 500, max: 1000 };
/** [contract 11] */
const STREAK = { points: 100, max: 5 };

/** @returns the lobby's games by id, each with its events in order */
export function gamesOf(log: readonly ServerEvent[]): Map<string, GameEvent[]> {
  const games = new Map<string, GameEvent[]>();
  for (const event of log) {
    if (!('gameId' in event) || !event.type.startsWith('game:')) continue;
    games.set(event.gameId, [...(games.get(event.gameId) ?? []), event]);
  }
  return games;
}

/**
 * Replays a finished game.
 * @param isLossy whether a failover may have made the game end twice, where the first stored end counts
 * @returns what is wrong with the game
 */
export function replayGame(
  history: Pick<LobbyHistory, 'settings' | 'leaving' | 'kicked' | 'clients'>,
  events: readonly GameEvent[],
  isLossy: boolean,
): Violation[] {
  const { scoring, waitFor } = history.settings;
  const gone = [...history.leaving, ...history.kicked];
  const violations: Violation[] = [];
  const complain = (text: string, event?: GameEvent) => violations.push(violationOf('game', text, event));
  const results = events.filter((event) => event.type === 'game:answer_result');
  const order = events.map((event) => `${event.type} ${'round' in event ? event.round : ''}`.trim());
  const expected = results.flatMap(({ round: _ }, index) => [
    `game:question ${index + 1}`,
    `game:answer_result ${index + 1}`,
  ]);
  if (order.join() !== [...expected, 'game:finished'].join()) {
    complain(`the rounds are out of order: ${order.join(', ')}`, events[0]);
    return violations;
  }
  const { totalRounds } = events[0] as Extract<ServerEvent, { type: 'game:question' }>;
  /** Whether each player of the game has left, by user id. */
  const players = new Map<string, boolean>();
  const isEmpty = () => [...players.values()].every((hasLeft) => hasLeft);
  const sums = new Map<string, number>();
  let streaks = new Map<string, number>();
  for (const result of results) {
    if (result.round > totalRounds || (result.round > 1 && isEmpty()))
      complain(`round ${result.round} was played after the game was over`, result);
    for (const text of wrongEnd(result, players, waitFor === 'present'))
      complain(`round ${result.round}: ${text}`, result);
    const counted = [...(result.answers ?? []), ...answersOfLeavers(history, result, sums)];
    for (const { userId, isCorrect, points } of counted) {
      if (!isPossible(scoring, isCorrect, points, streaks.get(userId) ?? 0))
        complain(`${points} points for an answer that is ${isCorrect ? 'right' : 'wrong'}`, result);
      sums.set(userId, (sums.get(userId) ?? 0) + points);
    }
    const right = counted.filter(({ isCorrect }) => isCorrect);
    // A player without a right answer loses the streak.
    streaks = new Map(right.map(({ userId }) => [userId, (streaks.get(userId) ?? 0) + 1]));
    for (const text of wrongScores(result, sums)) complain(`round ${result.round}: ${text}`, result);
  }
  // A game also ends in an intermission if all its players have left. [contract 11]
  const isDeserted = [...players].every(([userId, hasLeft]) => hasLeft || gone.includes(userId));
  const isEnded = history.clients.some(({ sent }) => sent.some(({ message }) => message.type === 'game:end'));
  const isWhole = results.length === totalRounds || isEmpty();
  const end = events.at(-1) as Finished;
  if (!isWhole && !isDeserted && !isEnded) complain(`the game ended before its last round`, end);
  for (const [text, result] of wrongPauses(history, results, isWhole)) complain(text, result);
  if (!isLossy) for (const text of wrongScores(end, sums)) complain(`the end: ${text}`, end);
  if (end.winnerIds.toSorted().join() !== winnersOf(end.scores).toSorted().join())
    complain(`other winners: ${end.winnerIds.join(', ')}`, end);
  return violations;
}

/**
 * A result does not list the answer of a player who has left, but its points are in the scores. [contract 5.2, 10]
 * @param sums everybody's score before this result
 * @returns the answers that only the scores show
 */
function answersOfLeavers(
  { leaving, kicked, clients }: Pick<LobbyHistory, 'leaving' | 'kicked' | 'clients'>,
  { answers = [], scores, questionId, correctOptionId }: AnswerResultEvent,
  sums: ReadonlyMap<string, number>,
) {
  const listed = new Set(answers.map(({ userId }) => userId));
  const hasAnswered = (userId: string) =>
    clients.some(
      ({ user, sent }) =>
        user.id === userId &&
        sent.some(
          ({ message }) =>
            message.type === 'game:answer' &&
            message.questionId === questionId &&
            (message.text !== undefined || message.optionId === correctOptionId),
        ),
    );
  return scores.flatMap(({ userId, score }) => {
    const points = score - (sums.get(userId) ?? 0);
    const isGone = leaving.includes(userId) || kicked.includes(userId);
    if (listed.has(userId) || !isGone || points === 0 || !hasAnswered(userId)) return [];
    return [{ userId, isCorrect: true, points }];
  });
}

/** Checks what a result says about the event that follows it. [contract 11] */
function* wrongPauses(
  { settings: { intermissionMs } }: Pick<LobbyHistory, 'settings'>,
  results: readonly AnswerResultEvent[],
  isWhole: boolean,
): Generator<[text: string, result: AnswerResultEvent]> {
  for (const result of results) {
    const { round, isLast, nextInMs, reason } = result;
    const isTheLast = round === results.length;
    if (isLast ? !isTheLast : isTheLast && isWhole) yield [`round ${round} has isLast ${isLast}`, result];
    const isEnd = isLast && !isWhole && reason === 'skipped';
    if (isEnd && nextInMs !== 0) yield [`the game was ended, and goes on in ${nextInMs} ms`, result];
    if (nextInMs > (intermissionMs ?? nextInMs)) yield [`what comes next is ${nextInMs} ms away`, result];
  }
}

/**
 * A round ends when everybody who is awaited has answered or left, or its time is over, and not otherwise. A player whom it
 * does not list has left.
 * @param players the players of the game before this result, which are updated
 * @param isForPresent whether the round waits for present players alone: no client sees who else was absent
 */
function* wrongEnd(
  { reason, scores, answers = [], correctOptionId }: AnswerResultEvent,
  players: Map<string, boolean>,
  isForPresent: boolean,
): Generator<string> {
  // The timer or the host ended the round. The host may do so at any moment.
  const isCut = reason === 'timeout' || reason === 'skipped';
  const given = new Map(
    answers.map(({ userId, selectedOptionId = null, verdict = null }) => [userId, selectedOptionId ?? verdict]),
  );
  if (given.size < answers.length) yield 'a player is listed twice';
  for (const { userId, selectedOptionId, verdict, isCorrect } of answers) {
    const isRight =
      verdict === undefined ? selectedOptionId === correctOptionId : verdict !== null && verdict !== 'wrong';
    if (isCorrect !== isRight) yield `the answer of ${userId} is judged otherwise than by the solution`;
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
function wrongScores({ scores }: Pick<AnswerResultEvent, 'scores'>, sums: Map<string, number>): string[] {
  const wrong = scores.filter(({ userId, score }) => score !== (sums.get(userId) ?? 0));
  const missing = [...sums.keys()].filter((id) => !scores.some(({ userId }) => userId === id));
  const isSorted = scores.every(({ score }, index) => score <= (scores[index - 1]?.score ?? score));
  return [
    ...wrong.map(({ name, score, userId }) => `${name} has ${score}, not ${sums.get(userId) ?? 0}`),
    ...missing.map((id) => `${id} is missing from the scores`),
    ...(isSorted ? [] : ['the scores are not in their order']),
  ];
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
