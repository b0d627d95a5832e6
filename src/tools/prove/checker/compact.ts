// Judges what is special about a compact lobby: no client receives everybody's answers, but counts, the ten best and
// the own part. Its host can read the stored rounds. From these the checker makes the whole results, compares them with
// what each client received, and judges them like those of an ordinary lobby. [contract 19]
import type { ServerEvent } from '../../../client/types.ts';
import type { JudgedAnswer, Score } from '../../../match/schema.ts';
import { type AnswerResultEvent, type LobbyHistory, type StoredGame, type Violation, violationOf } from '../history.ts';
import type { Heard } from './log.ts';
import { ranked, rankOf, winnersOf } from './replay.ts';

type Finished = Extract<ServerEvent, { type: 'game:finished' }>;
type StoredRound = NonNullable<StoredGame['rounds']>[number];

/** The contract's number of places that everybody is told. */
const PLACES = 10;

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

/** What an event of a compact lobby must contain. */
interface Expectation {
  /** The fields that all receivers get. */
  shared: object;
  /** The fields of the event in an ordinary lobby. */
  whole: object;
  /** The field `you`, by user id. */
  parts: Map<string, object>;
}

/**
 * @param heard the events of each client of the history
 * @param log the shared parts of the events
 * @param wholeGames the games of which no event was hidden from all clients
 * @returns the events as an ordinary lobby would have them, and what is wrong with the received ones
 */
export function expandCompact(
  history: LobbyHistory,
  heard: readonly (readonly Heard[])[],
  log: readonly ServerEvent[],
  wholeGames: ReadonlySet<string>,
) {
  const violations: Violation[] = [];
  const complain = (text: string, event: ServerEvent) => violations.push(violationOf('compact', text, event));
  const games = new Map(history.stored.map((game) => [game.gameId, readGame(history, game)]));
  const expectations = new Map<string, Expectation>();
  const whole = log.flatMap((event): ServerEvent[] => {
    if (event.type !== 'game:answer_result' && event.type !== 'game:finished') return [event];
    if ('answers' in event) complain(`${nameOf(event)} has everybody's answers`, event);
    const game = games.get(event.gameId);
    const expected = event.type === 'game:finished' ? game?.end() : game?.round(event);
    // A failover may leave a game without a stored result, or let rounds be played on; nobody knows their whole
    // results then.
    if (!game || !wholeGames.has(event.gameId)) return [event];
    if (!expected) {
      complain(`${nameOf(event)} is not stored`, event);
      return [event];
    }
    for (const text of differences(event, expected.shared)) complain(text, event);
    expectations.set(keyOf(event), expected);
    return [{ ...event, ...expected.whole } as ServerEvent];
  });
  for (const [index, { user }] of history.clients.entries())
    for (const { event } of heard[index] ?? [])
      for (const text of wrongParts(user.id, event, expectations)) complain(text, event);
  return { log: whole, violations };
}

/** Computes what the results of a game must contain. The rounds must be asked for in their order. */
function readGame({ leaving, kicked }: LobbyHistory, { scores, rounds = [] }: StoredGame) {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  /** Everybody's score, in the order in which the players entered the game. */
  let totals = new Map<string, number>();
  const isGone = (id: string) => leaving.includes(id) || kicked.includes(id);

  function round(event: AnswerResultEvent): Expectation | null {
    const stored = rounds.find((of) => of.round === event.round);
    if (!stored) return null;
    const answers = stored.answers.map(({ elapsedMs: _, text: __, ...answer }) => answer);
    for (const { userId, points } of answers) totals.set(userId, (totals.get(userId) ?? 0) + points);
    // The answer of a player who has left is not listed; its points, and its place among equals, are told by the scores.
    for (const [index, { userId, score }] of [...event.scores.entries()].reverse())
      if (isGone(userId) && !answers.some((answer) => answer.userId === userId))
        totals = withLeaver(totals, { userId, score }, event.scores[index + 1]?.userId);
    const standings = ranked([...totals].map(([userId, score]) => ({ userId, name: names.get(userId) ?? '', score })));
    const part = ({ userId, ...answer }: JudgedAnswer) => {
      const score = totals.get(userId) ?? 0;
      return { ...answer, score, rank: rankOf(score, standings) };
    };
    return {
      shared: { counts: countsOf(stored, answers), scores: standings.slice(0, PLACES) },
      whole: { answers, scores: standings },
      parts: new Map(answers.map((answer) => [answer.userId, part(answer)])),
    };
  }

  function end(): Expectation {
    const standings: Score[] = scores.map(({ userId, name, score }) => ({ userId, name, score }));
    const winnerIds = winnersOf(standings);
    const firstTen = winnerIds.slice(0, PLACES);
    return {
      shared: { scores: ranked(standings).slice(0, PLACES), winnerIds: firstTen, winnerCount: winnerIds.length },
      whole: { scores: standings, winnerIds },
      parts: new Map(
        scores.map(({ userId, score, correct }) => [userId, { score, correct, rank: rankOf(score, standings) }]),
      ),
    };
  }

  return { round, end };
}

/** @returns the scores with that of a player who has left, before the next player if the leaver is new to them */
function withLeaver(
  totals: ReadonlyMap<string, number>,
  { userId, score }: { userId: string; score: number },
  next: string | undefined,
): Map<string, number> {
  if (totals.has(userId)) return new Map(totals).set(userId, score);
  const entries = [...totals];
  const at = entries.findIndex(([id]) => id === next);
  return new Map(entries.toSpliced(at < 0 ? entries.length : at, 0, [userId, score]));
}

function countsOf({ options }: StoredRound, answers: readonly JudgedAnswer[]) {
  const chosen = (choice: number | null) =>
    answers.filter(({ selectedOptionId, verdict }) => (selectedOptionId ?? verdict ?? null) === choice).length;
  return {
    ...(options && { options: options.map((_, optionId) => chosen(optionId)) }),
    none: chosen(null),
    correct: answers.filter(({ isCorrect }) => isCorrect).length,
  };
}

/** Compares the fields that everybody gets. */
function* differences(event: AnswerResultEvent | Finished, shared: object) {
  const fields = new Map<string, unknown>(Object.entries(event));
  for (const [field, should] of Object.entries(shared)) {
    const is = fields.get(field);
    if (JSON.stringify(is) !== JSON.stringify(should))
      yield `${field} of ${nameOf(event)} is ${JSON.stringify(is)}, not ${JSON.stringify(should)}`;
  }
}

/** Compares the fields that one user gets. */
function* wrongParts(userId: string, event: ServerEvent, expectations: ReadonlyMap<string, Expectation>) {
  if (event.type === 'lobby:state') {
    const { players, compact } = event.lobby;
    const others = players.filter((player) => !player.isHost && player.userId !== userId);
    if (!compact) yield `lobby:state ${event.seq} is not compact`;
    else if (others.length > 0) yield `lobby:state ${event.seq} names other players`;
  }
  if (event.type !== 'game:answer_result' && event.type !== 'game:finished') return;
  const expected = expectations.get(keyOf(event));
  const [is, should] = [event.you, expected?.parts.get(userId)].map((part) => JSON.stringify(part));
  if (expected && is !== should) yield `you of ${nameOf(event)} is ${is}, not ${should}`;
}

const keyOf = (event: AnswerResultEvent | Finished) => `${event.gameId} ${nameOf(event)}`;
const nameOf = (event: AnswerResultEvent | Finished) =>
  event.type === 'game:finished' ? 'the end' : `the result of round ${event.round}`;
