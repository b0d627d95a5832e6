// Plays every game once more on the pure model, with what the results say of the answers: the rounds
// in their order and each once, why each ended, who is in it, what it gave, and who won.
// [contract 5.4, 5.5, 10]

import type { ServerEvent } from '../../client/types.ts';
import { winners } from '../../match/rules.ts';
import type { JudgedAnswer } from '../../match/schema.ts';
import type { LobbyHistory, Violation } from '../history.ts';
import { createMatchModel, type MatchModel } from './match-model.ts';

export type GameEvent = Extract<ServerEvent, { gameId: string }>;
type Result = Extract<ServerEvent, { type: 'game:answer_result' }>;
type Finished = Extract<ServerEvent, { type: 'game:finished' }>;

/** A whole game in tenths of a round, as the model counts. */
const BELL = 10;
const SPEED_POINTS = { min: 500, max: 1000 };
/** [contract 11] */
const STREAK = { points: 100, max: 5 };

/** @returns the lobby's games, each with its events in their order */
export function gamesOf(log: readonly ServerEvent[]): Map<string, GameEvent[]> {
  const games = new Map<string, GameEvent[]>();
  for (const event of log) {
    if (!('gameId' in event) || !event.type.startsWith('game:')) continue;
    games.set(event.gameId, [...(games.get(event.gameId) ?? []), event]);
  }
  return games;
}

/**
 * @param isLossy whether it may have been played to another end before, of which the first one stands
 * @returns what is wrong with a game that was played to its end
 */
export function replayGame(
  history: Pick<LobbyHistory, 'settings' | 'leaving' | 'kicked' | 'clients'>,
  events: readonly GameEvent[],
  isLossy: boolean,
): Violation[] {
  const { scoring } = history.settings;
  const gone = [...history.leaving, ...history.kicked];
  const violations: Violation[] = [];
  const complain = (text: string) => violations.push({ kind: 'game', text });
  const results = events.filter((event) => event.type === 'game:answer_result');
  const order = events.map((event) =>
    `${event.type} ${'round' in event ? event.round : ''}`.trim(),
  );
  const expected = results.flatMap(({ round: _ }, index) => [
    `game:question ${index + 1}`,
    `game:answer_result ${index + 1}`,
  ]);
  if (order.join() !== [...expected, 'game:finished'].join()) {
    complain(`the rounds are out of order: ${order.join(', ')}`);
    return violations;
  }
  const question = events[0] as Extract<ServerEvent, { type: 'game:question' }>;
  const model = open(question, results);
  const sums = new Map<string, number>();
  let streaks = new Map<string, number>();
  for (const result of results) {
    play(model, result);
    if (model.status() !== 'open' || !model.isDue()) {
      complain(`round ${result.round} ended when it could not: ${JSON.stringify(result)}`);
      return violations;
    }
    for (const text of differences(model.resolve(), result)) complain(text);
    for (const { userId, isCorrect, points } of result.answers) {
      if (!isPossible(scoring, isCorrect, points, streaks.get(userId) ?? 0))
        complain(`${points} points for an answer that is ${isCorrect ? 'right' : 'wrong'}`);
      sums.set(userId, (sums.get(userId) ?? 0) + points);
    }
    const right = result.answers.filter(({ isCorrect }) => isCorrect);
    // Whoever is not among them has no row of right answers any more.
    streaks = new Map(right.map(({ userId }) => [userId, (streaks.get(userId) ?? 0) + 1]));
    for (const text of wrongScores(result, sums)) complain(`round ${result.round}: ${text}`);
  }
  // In an intermission too a game ends when nobody who plays is left. [contract 11]
  const isDeserted = model.players().every(({ userId, left }) => left || gone.includes(userId));
  const isEnded = history.clients.some(({ sent }) =>
    sent.some(({ message }) => message.type === 'game:end'),
  );
  const isWhole = model.status() === 'finishing';
  if (!isWhole && !isDeserted && !isEnded) complain(`the game ended before its last round`);
  for (const text of wrongPauses(history, results, isWhole)) complain(text);
  const end = events.at(-1) as Finished;
  if (!isLossy) for (const text of wrongScores(end, sums)) complain(`the end: ${text}`);
  if (end.winnerIds.toSorted().join() !== winners(end.scores).toSorted().join())
    complain(`other winners: ${end.winnerIds.join(', ')}`);
  return violations;
}

/** What a result says of what comes next. [contract 11] */
function* wrongPauses(
  { settings: { intermissionMs } }: Pick<LobbyHistory, 'settings'>,
  results: readonly Result[],
  isWhole: boolean,
) {
  for (const { round, isLast, nextInMs, reason } of results) {
    // A release from before says nothing of it.
    if (isLast === undefined) continue;
    const isTheLast = round === results.length;
    if (isLast ? !isTheLast : isTheLast && isWhole) yield `round ${round} has isLast ${isLast}`;
    const isEnd = isLast && !isWhole && reason === 'skipped';
    if (isEnd && nextInMs !== 0) yield `the game was ended, and goes on in ${nextInMs} ms`;
    if (nextInMs > (intermissionMs ?? nextInMs)) yield `what comes next is ${nextInMs} ms away`;
  }
}

function open(
  first: Extract<ServerEvent, { type: 'game:question' }>,
  results: readonly Result[],
): MatchModel {
  const model = createMatchModel();
  const questions = Array.from({ length: first.totalRounds }, (_, index) => ({
    question: { ...first.question, questionId: results[index]?.questionId ?? '' },
    correctOptionId: results[index]?.correctOptionId ?? 0,
  }));
  const { gameId } = first;
  const settings = { scoring: 'accuracy' } as Parameters<MatchModel['open']>[0]['settings'];
  const plan = { lobbyId: '', code: '', gameId, settings, durationMs: 0, questions, players: [] };
  model.open(plan, []);
  return model;
}

/** Does in the model what the result says that the players did. */
function play(model: MatchModel, result: Result): void {
  const { answers, reason, scores } = result;
  const listed = new Map(answers.map((answer) => [answer.userId, answer]));
  const isNew = ({ userId }: { userId: string }) => !model.find(userId);
  const enter = (players: typeof scores) => {
    for (const { userId, name } of players) model.enter(userId, name);
  };
  const leave = () => {
    for (const { userId, left } of model.players())
      if (!left && !listed.has(userId)) model.leave(userId);
  };
  const answer = () => {
    for (const { userId, selectedOptionId } of answers)
      if (selectedOptionId !== null)
        model.answer(userId, result.questionId, selectedOptionId, `${result.round}`);
  };
  const given = (userId: string) => (listed.get(userId)?.selectedOptionId ?? null) !== null;
  // Who comes when nobody is waited for any more is not waited for either, and can't answer.
  const isLate = (player: { userId: string }) =>
    isNew(player) && !isCut(reason) && listed.has(player.userId) && !given(player.userId);
  const late = scores.filter(isLate);
  enter(scores.filter((player) => isNew(player) && !late.includes(player)));
  if (reason === 'all_answered') leave();
  answer();
  // After the bell nobody's leaving ends a round.
  if (isCut(reason)) model.pass(BELL);
  leave();
  enter(late);
}

/** Ended by the timer, or by the host, who may do it at any moment. */
const isCut = (reason: Result['reason']) => reason === 'timeout' || reason === 'skipped';

type Round = Pick<Result, 'round' | 'questionId' | 'correctOptionId' | 'reason' | 'answers'>;

function differences(expected: Round, told: Round): string[] {
  const shapeOf = ({ round, questionId, correctOptionId, reason, answers }: Round) => ({
    ...{ round, questionId, correctOptionId, reason: isCut(reason) ? 'cut' : reason },
    answers: answers.map(judgement).toSorted(),
  });
  const [should, is] = [JSON.stringify(shapeOf(expected)), JSON.stringify(shapeOf(told))];
  return should === is ? [] : [`round ${told.round} should be ${should}, but is ${is}`];
}

const judgement = ({ userId, selectedOptionId, isCorrect }: JudgedAnswer) =>
  `${userId} ${selectedOptionId} ${isCorrect}`;

/** @param streak how many answers in a row were right before this one */
function isPossible(scoring: string, isCorrect: boolean, points: number, streak: number): boolean {
  if (!isCorrect) return points === 0;
  if (scoring === 'accuracy') return points === 1;
  const extra = scoring === 'streak' ? STREAK.points * Math.min(streak, STREAK.max) : 0;
  return points - extra >= SPEED_POINTS.min && points - extra <= SPEED_POINTS.max;
}

/** Everyone who ever played, with the sum of what was earned, highest first. */
function wrongScores({ scores }: Pick<Result, 'scores'>, sums: Map<string, number>): string[] {
  const wrong = scores.filter(({ userId, score }) => score !== (sums.get(userId) ?? 0));
  const missing = [...sums.keys()].filter((id) => !scores.some(({ userId }) => userId === id));
  const isSorted = scores.every(({ score }, index) => score <= (scores[index - 1]?.score ?? score));
  return [
    ...wrong.map(({ name, score, userId }) => `${name} has ${score}, not ${sums.get(userId) ?? 0}`),
    ...missing.map((id) => `${id} is missing from the scores`),
    ...(isSorted ? [] : ['the scores are not in their order']),
  ];
}
