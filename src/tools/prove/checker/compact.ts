// Judges what is special about a compact lobby: no client receives everybody's answers, but counts, the ten best and
// the own part. Its host can read the stored rounds. From these the checker makes the whole results, compares them with
// what each client received, and judges them like those of an ordinary lobby. [contract 19]
import type { ServerEvent } from '../../../client/types.ts';
import type { JudgedAnswer } from '../../../match/schema.ts';
import type { AnswerResultEvent, LobbyHistory, StoredGame } from '../history.ts';
import { ranked, rankOf, winnersOf } from './games.ts';
import { unequal, type Wrong } from './log.ts';

type Outcome = Extract<ServerEvent, { type: 'game:answer_result' | 'game:finished' }>;

/** The contract's number of places that everybody is told. */
const PLACES = 10;

const isOutcome = (event: ServerEvent): event is Outcome =>
  event.type === 'game:answer_result' || event.type === 'game:finished';

const nameOf = (event: Outcome) => (event.type === 'game:finished' ? 'the end' : `the result of round ${event.round}`);
const keyOf = (event: Outcome) => `${event.gameId} ${nameOf(event)}`;

/** @returns the event without what differs from receiver to receiver */
export function sharedPart(event: ServerEvent): ServerEvent {
  if (event.type === 'lobby:state' && event.lobby.compact) {
    const host = event.lobby.players.filter(({ isHost }) => isHost);
    return { ...event, lobby: { ...event.lobby, players: host } };
  }
  return isOutcome(event) ? ({ ...event, you: undefined } as ServerEvent) : event;
}

/**
 * @param log the shared parts of the events
 * @param wholeGames the games of which no event was hidden from all clients
 * @returns the events as an ordinary lobby would have them, and what is wrong with the received ones
 */
export function expandCompact(history: LobbyHistory, log: readonly ServerEvent[], wholeGames: ReadonlySet<string>) {
  const wrong: Wrong[] = [];
  // After a failover nobody knows the whole results of a game that is not stored, or whose rounds were played on.
  const known = history.stored.filter(({ gameId }) => wholeGames.has(gameId));
  const games = new Map(known.map((game) => [game.gameId, readGame(history, game)]));
  /** The field `you` by user id, of each outcome. */
  const parts = new Map<string, Map<string, object>>();
  const whole = log.map((event): ServerEvent => {
    if (!isOutcome(event)) return event;
    if ('answers' in event) wrong.push([`${nameOf(event)} has everybody's answers`, event]);
    const game = games.get(event.gameId);
    if (!game) return event;
    const expected = event.type === 'game:finished' ? game.end() : game.round(event);
    if (!expected) {
      wrong.push([`${nameOf(event)} is not stored`, event]);
      return event;
    }
    const fields = new Map<string, unknown>(Object.entries(event));
    for (const [field, should] of Object.entries(expected.shared))
      for (const text of unequal(`${field} of ${nameOf(event)}`, fields.get(field), should)) wrong.push([text, event]);
    parts.set(keyOf(event), expected.parts);
    return { ...event, ...expected.whole } as ServerEvent;
  });
  for (const { user, received } of history.clients)
    for (const { event } of received) for (const text of wrongParts(user.id, event)) wrong.push([text, event]);
  return { log: whole, wrong };

  /** Compares the fields that one user gets. */
  function wrongParts(userId: string, event: ServerEvent): string[] {
    if (event.type === 'lobby:state') {
      const { players, compact } = event.lobby;
      if (!compact) return [`lobby:state ${event.seq} is not compact`];
      const isNamed = players.some((player) => !player.isHost && player.userId !== userId);
      return isNamed ? [`lobby:state ${event.seq} names other players`] : [];
    }
    const expected = isOutcome(event) && parts.get(keyOf(event));
    return expected ? unequal(`you of ${nameOf(event)}`, event.you, expected.get(userId)) : [];
  }
}

/**
 * Computes what the outcomes of a game must contain: the fields that all receivers get, those of the event in an
 * ordinary lobby, and the field `you` by user id. The rounds must be asked for in their order.
 */
function readGame({ leaving, kicked }: LobbyHistory, { scores, rounds }: StoredGame) {
  const names = new Map(scores.map(({ userId, name }) => [userId, name]));
  /** Everybody's score, in the order in which the players entered the game. */
  let totals = new Map<string, number>();

  function round(event: AnswerResultEvent) {
    const stored = rounds.find((of) => of.round === event.round);
    if (!stored) return null;
    const answers = stored.answers.map(({ elapsedMs: _, ...answer }) => answer);
    for (const { userId, points } of answers) totals.set(userId, (totals.get(userId) ?? 0) + points);
    // The answer of a player who has left is not listed; the scores tell its points, and its place among equals.
    for (const [index, { userId, score }] of [...event.scores.entries()].reverse()) {
      const isGone = leaving.includes(userId) || kicked.includes(userId);
      if (isGone && !answers.some((answer) => answer.userId === userId))
        totals = withLeaver(totals, userId, score, event.scores[index + 1]?.userId);
    }
    const standings = ranked([...totals].map(([userId, score]) => ({ userId, name: names.get(userId) ?? '', score })));
    const part = ({ userId, ...answer }: JudgedAnswer) => {
      const score = totals.get(userId) ?? 0;
      return { ...answer, score, rank: rankOf(score, standings) };
    };
    const chosen = (choice: number | null) =>
      answers.filter(({ selectedOptionId }) => selectedOptionId === choice).length;
    const correct = answers.filter(({ isCorrect }) => isCorrect).length;
    const counts = { options: stored.options?.map((_, optionId) => chosen(optionId)), none: chosen(null), correct };
    return {
      shared: { counts, scores: standings.slice(0, PLACES) },
      whole: { answers, scores: standings },
      parts: new Map(answers.map((answer) => [answer.userId, part(answer)])),
    };
  }

  function end() {
    const standings = scores.map(({ userId, name, score }) => ({ userId, name, score }));
    const winnerIds = winnersOf(standings);
    const best = { scores: ranked(standings).slice(0, PLACES), winnerIds: winnerIds.slice(0, PLACES) };
    const part = (score: number, correct: number) => ({ score, correct, rank: rankOf(score, standings) });
    return {
      shared: { ...best, winnerCount: winnerIds.length },
      whole: { scores: standings, winnerIds },
      parts: new Map(scores.map(({ userId, score, correct }) => [userId, part(score, correct)])),
    };
  }

  return { round, end };
}

/** @returns the scores with that of a player who has left, before the next player if the leaver is new to them */
function withLeaver(totals: ReadonlyMap<string, number>, userId: string, score: number, next: string | undefined) {
  if (totals.has(userId)) return new Map(totals).set(userId, score);
  const entries = [...totals];
  const at = entries.findIndex(([id]) => id === next);
  return new Map(entries.toSpliced(at < 0 ? entries.length : at, 0, [userId, score]));
}
