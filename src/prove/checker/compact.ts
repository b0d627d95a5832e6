// Judges what is special about a compact lobby: no client receives everybody's answers, but counts, the ten best and
// the own part. Its host can read the stored rounds, so that the whole results are made of these, compared with what
// each client received, and judged like those of an ordinary lobby. [contract 19]
import type { ServerEvent } from '../../client/types.ts';
import { type OwnParts, summarizeGame, summarizeRound } from '../../match/compact.ts';
import { rank, winners } from '../../match/rules.ts';
import type { OwnAnswer, OwnScore } from '../../match/schema.ts';
import type { AnswerResultEvent, LobbyHistory, StoredGame, Violation } from '../history.ts';
import type { Heard } from './numbers.ts';
import { violationOf } from './violation.ts';

type Finished = Extract<ServerEvent, { type: 'game:finished' }>;
type StoredRounds = NonNullable<StoredGame['rounds']>;

/** @returns the event without what differs from receiver to receiver */
export function sharedPart(event: ServerEvent): ServerEvent {
  if (event.type === 'lobby:state' && event.lobby.compact) {
    const host = event.lobby.players.filter(({ isHost }) => isHost);
    return { ...event, lobby: { ...event.lobby, players: host } };
  }
  if (event.type !== 'game:answer_result' && event.type !== 'game:finished') return event;
  const { you: _, ...shared } = event;
  return shared as ServerEvent;
}

/** The events of a compact lobby as an ordinary lobby would have them, and what is wrong with the received ones. */
export interface Expanded {
  log: ServerEvent[];
  violations: Violation[];
}

/**
 * @param heard the events of each client of the history
 * @param log the shared parts of the events
 */
export function expandCompact(
  history: LobbyHistory,
  heard: readonly (readonly Heard[])[],
  log: readonly ServerEvent[],
): Expanded {
  const violations: Violation[] = [];
  const complain = (text: string, event: ServerEvent) =>
    violations.push(violationOf('compact', text, event));
  const games = new Map(history.stored.map((game) => [game.gameId, expandGame(game)]));
  const whole = log.map((event) => {
    if (event.type !== 'game:answer_result' && event.type !== 'game:finished') return event;
    const game = games.get(event.gameId);
    const expected =
      event.type === 'game:finished' ? game?.finished : game?.results.get(event.round);
    if (!game || !expected) return event;
    for (const text of differences(event, expected)) complain(text, event);
    return { ...event, ...expected.whole } as ServerEvent;
  });
  for (const [index, { user }] of history.clients.entries())
    for (const { event } of heard[index] ?? [])
      for (const text of wrongParts(user.id, event, games.get(gameIdOf(event))))
        complain(text, event);
  return { log: whole, violations };
}

/** What a game's stored rounds say that its events must contain. */
interface ExpandedGame {
  results: Map<number, Expectation<OwnAnswer>>;
  finished: Expectation<OwnScore>;
}

interface Expectation<Part> {
  /** The fields of the event in a compact lobby. */
  compact: object;
  /** The fields of the event in an ordinary lobby. */
  whole: object;
  parts: OwnParts<Part>;
}

function expandGame({ scores, winnerIds, rounds = [] }: StoredGame): ExpandedGame {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  const totals: Record<string, { score: number; correct: number; streak: number }> = {};
  const results = new Map(rounds.map((round) => [round.round, expandRound(round, names, totals)]));
  const { parts, ...end } = summarizeGame({ scores, winnerIds });
  const listed = (of: typeof scores) =>
    of.map(({ userId, name, score }) => ({ userId, name, score }));
  const whole = { scores: listed(scores), winnerIds: winners(scores) };
  return { results, finished: { compact: { ...end, scores: listed(end.scores) }, whole, parts } };
}

/** @param totals the totals before the round, which become those after it */
function expandRound(
  { answers: stored, options }: StoredRounds[number],
  names: ReadonlyMap<string, string>,
  totals: Record<string, { score: number; correct: number; streak: number }>,
): Expectation<OwnAnswer> {
  const answers = stored.map(({ elapsedMs: _, ...answer }) => answer);
  for (const { userId, points, isCorrect } of answers) {
    const { score, correct, streak } = totals[userId] ?? { score: 0, correct: 0, streak: 0 };
    totals[userId] = {
      ...{ score: score + points, correct: correct + Number(isCorrect) },
      streak: isCorrect ? streak + 1 : 0,
    };
  }
  // The players are in the order in which they entered the game, as the answers are.
  const players = Object.keys(totals).map((userId) => {
    return { userId, name: names.get(userId) ?? '', left: false };
  });
  const scores = rank(players, totals);
  const { parts, ...compact } = summarizeRound({ answers, totals, scores }, options.length);
  return { compact, whole: { answers, scores, counts: undefined }, parts };
}

/** Compares the fields that everybody gets. */
function* differences(event: AnswerResultEvent | Finished, { compact }: Expectation<unknown>) {
  const fields = new Map<string, unknown>(Object.entries(event));
  for (const [field, should] of Object.entries(compact)) {
    const is = fields.get(field);
    if (JSON.stringify(is) !== JSON.stringify(should))
      yield `${field} of ${nameOf(event)} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`;
  }
  if ('answers' in event) yield `${nameOf(event)} has everybody's answers`;
}

/** Compares the fields that one user gets. */
function* wrongParts(userId: string, event: ServerEvent, game: ExpandedGame | undefined) {
  if (event.type === 'lobby:state') {
    const { players, compact } = event.lobby;
    const others = players.filter((player) => !player.isHost && player.userId !== userId);
    if (compact && others.length > 0) yield `lobby:state ${event.seq} names other players`;
  }
  if (!game || (event.type !== 'game:answer_result' && event.type !== 'game:finished')) return;
  const expected = event.type === 'game:finished' ? game.finished : game.results.get(event.round);
  const [is, should] = [event.you, expected?.parts[userId]].map((part) => JSON.stringify(part));
  if (expected && is !== should) yield `you of ${nameOf(event)} is ${is}, not ${should}`;
}

const gameIdOf = (event: ServerEvent) => ('gameId' in event ? event.gameId : '');
const nameOf = (event: AnswerResultEvent | Finished) =>
  event.type === 'game:finished' ? 'the end' : `the result of round ${event.round}`;
