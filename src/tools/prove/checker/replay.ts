// Replays every game on the pure model by what the results say of the answers: the order of rounds, why each
// ended, who took part, what was answered, and who won. [contract 5.4, 5.5, 10]
import type { ServerEvent } from '../../../client/types.ts';
import type { JudgedAnswer } from '../../../match/schema.ts';
import { type AnswerResultEvent, type LobbyHistory, type Violation, violationOf } from '../history.ts';
import { createMatchModel, type MatchModel, winnersOf } from './match-model.ts';

export type GameEvent = Extract<ServerEvent, { gameId: string }>;
type Finished = Extract<ServerEvent, { type: 'game:finished' }>;

/** A whole round in the model's unit of time, tenths of a phase. */
const ROUND_TENTHS = 10;
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
  const results = events.filter((event) => event.type === 'game:answer_result').map(asOptions);
  const order = events.map((event) => `${event.type} ${'round' in event ? event.round : ''}`.trim());
  const expected = results.flatMap(({ round: _ }, index) => [
    `game:question ${index + 1}`,
    `game:answer_result ${index + 1}`,
  ]);
  if (order.join() !== [...expected, 'game:finished'].join()) {
    complain(`the rounds are out of order: ${order.join(', ')}`, events[0]);
    return violations;
  }
  const question = events[0] as Extract<ServerEvent, { type: 'game:question' }>;
  const model = open(question, results);
  const sums = new Map<string, number>();
  let streaks = new Map<string, number>();
  for (const result of results) {
    play(model, result);
    if (waitFor === 'present' && result.reason === 'all_answered') model.endForPresent();
    if (model.status() !== 'open' || !model.isDue()) {
      complain(`round ${result.round} ended when it could not: ${JSON.stringify(result)}`, result);
      return violations;
    }
    for (const text of differences(model.resolve(), result)) complain(text, result);
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
  const isDeserted = model.players().every(({ userId, left }) => left || gone.includes(userId));
  const isEnded = history.clients.some(({ sent }) => sent.some(({ message }) => message.type === 'game:end'));
  const isWhole = model.status() === 'finishing';
  const end = events.at(-1) as Finished;
  if (!isWhole && !isDeserted && !isEnded) complain(`the game ended before its last round`, end);
  for (const [text, result] of wrongPauses(history, results, isWhole)) complain(text, result);
  if (!isLossy) for (const text of wrongScores(end, sums)) complain(`the end: ${text}`, end);
  if (end.winnerIds.toSorted().join() !== winnersOf(end.scores).toSorted().join())
    complain(`other winners: ${end.winnerIds.join(', ')}`, end);
  return violations;
}

/**
 * A result does not list the answer of a player who has left, but its points are in the scores.
 * [contract 5.2, 10]
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

function open(
  first: Extract<ServerEvent, { type: 'game:question' }>,
  results: readonly AnswerResultEvent[],
): MatchModel {
  const model = createMatchModel();
  const questions = Array.from({ length: first.totalRounds }, (_, index) => ({
    question: { ...first.question, questionId: results[index]?.questionId ?? '' },
    correctOptionId: results[index]?.correctOptionId ?? 0,
    nonce: '',
  }));
  const { gameId } = first;
  const settings = { scoring: 'accuracy' } as Parameters<MatchModel['open']>[0]['settings'];
  const prepared = {
    lobbyId: '',
    code: '',
    gameId,
    settings,
    isCompact: false,
    durationMs: 0,
    questions,
    playerIds: [],
  };
  model.open(prepared, []);
  return model;
}

/** Lets the model's players do what the result says they did. */
function play(model: MatchModel, result: AnswerResultEvent): void {
  const { answers = [], reason, scores } = result;
  const listed = new Map(answers.map((answer) => [answer.userId, answer]));
  const isNew = ({ userId }: { userId: string }) => !model.find(userId);
  const enter = (players: typeof scores) => {
    for (const { userId, name } of players) model.enter(userId, name);
  };
  const leave = () => {
    for (const { userId, left } of model.players()) if (!left && !listed.has(userId)) model.leave(userId);
  };
  const answer = () => {
    for (const { userId, selectedOptionId } of answers)
      if (typeof selectedOptionId === 'number')
        model.answer(userId, result.questionId, selectedOptionId, `${result.round}`);
  };
  const given = (userId: string) => (listed.get(userId)?.selectedOptionId ?? null) !== null;
  // A player who enters after the last awaited answer is not awaited, and can't answer.
  const isLate = (player: { userId: string }) =>
    isNew(player) && !isCut(reason) && listed.has(player.userId) && !given(player.userId);
  const late = scores.filter(isLate);
  enter(scores.filter((player) => isNew(player) && !late.includes(player)));
  if (reason === 'all_answered') leave();
  answer();
  // The timer ends a round after its deadline, not a player's leaving.
  if (isCut(reason)) model.pass(ROUND_TENTHS);
  leave();
  enter(late);
}

/** Whether the timer or the host ended the round. The host may do so at any moment. */
const isCut = (reason: AnswerResultEvent['reason']) => reason === 'timeout' || reason === 'skipped';

type Round = Pick<AnswerResultEvent, 'round' | 'questionId' | 'correctOptionId' | 'reason' | 'answers'>;

function differences(expected: Round, told: Round): string[] {
  const shapeOf = ({ round, questionId, correctOptionId, reason, answers = [] }: Round) => ({
    round,
    questionId,
    correctOptionId,
    reason: isCut(reason) ? 'cut' : reason,
    answers: answers.map(judgement).toSorted(),
  });
  const [should, is] = [JSON.stringify(shapeOf(expected)), JSON.stringify(shapeOf(told))];
  return should === is ? [] : [`round ${told.round} should be ${should}, but is ${is}`];
}

const judgement = ({ userId, selectedOptionId, isCorrect }: JudgedAnswer) =>
  `${userId} ${selectedOptionId} ${isCorrect}`;

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

const RIGHT = 0;
const WRONG = 1;

/** @returns the result as the model plays it; one with options is unchanged */
function asOptions(result: AnswerResultEvent): AnswerResultEvent {
  if (result.correctText === undefined) return result;
  const answers = result.answers?.map(({ verdict = null, ...answer }) => {
    const selectedOptionId = verdict === null ? null : verdict === 'wrong' ? WRONG : RIGHT;
    return { ...answer, selectedOptionId };
  });
  return { ...result, correctOptionId: RIGHT, ...(answers && { answers }) };
}
