// Judges a lobby by what its clients received and what the service stored. It is pure: the same history
// always gets the same verdict.
import type { ServerEvent } from '../../../client/types.ts';
import type { Client, LobbyHistory, Span, Violation } from '../history.ts';
import { expandCompact, sharedPart } from './compact.ts';
import { judgeAnswers, wrongGames, wrongStored } from './games.ts';
import type { LobbyLog, Wrong } from './log.ts';
import * as logs from './log.ts';
import { wrongQuestions } from './quiz.ts';
import { wrongRoom } from './room.ts';

export interface CheckOptions {
  /** The periods in which Redis may have lost writes. Some checks do not apply if there are any. */
  losses?: readonly Span[];
  /**
   * An event that comes later than this after it was due is a violation, ms. It is left out where faults are injected:
   * then events may be late, and the service may end a lobby for a client.
   */
  lateMaxMs?: number;
}

export function checkLobby(history: LobbyHistory, { losses = [], lateMaxMs = Infinity }: CheckOptions) {
  const { clients, lobbyId, code } = history;
  const isLossy = losses.length > 0;
  const isCompact = history.settings.compact === true;
  const shared = clients.map(({ received }) => received.map((item) => ({ ...item, event: sharedPart(item.event) })));
  const heard = shared.flat();
  const told = logs.mergeLog(heard, isLossy);
  const wholeGames = logs.wholeGamesOf(told);
  const { log, wrong: wrongParts } = isCompact ? expandCompact(history, told, wholeGames) : { log: told, wrong: [] };
  const lobby: LobbyLog = { history, losses, log, games: logs.gamesOf(log), wholeGames };
  const users = [...Map.groupBy(clients, ({ user }) => user.id)];
  const answers = users.map(([userId, own]) => ({ userId, ...judgeAnswers(own, lobby) }));
  const timed = clients.flatMap(timedEvents);
  const [worst] = timed.toSorted((a, b) => b.lateMs - a.lateMs);
  const isLate = worst && worst.lateMs > lateMaxMs;
  const found: [kind: string, wrong: Iterable<Wrong>][] = [
    ['numbers', clients.flatMap((client) => [...logs.wrongNumbers(client, losses)])],
    ['numbers', logs.holesOf(lobby)],
    ['same', logs.differences(heard, isLossy)],
    ['marks', logs.wrongMarks(shared)],
    ['compact', wrongParts],
    ['game', wrongGames(lobby)],
    ['answers', answers.flatMap(({ wrong }) => wrong)],
    ['stored', wrongStored(lobby)],
    ['questions', wrongGameQuestions(lobby)],
    ['replies', clients.flatMap((client) => [...wrongReplies(client)])],
    // No client of a compact lobby knows who is in it.
    ['room', isLossy || isCompact ? [] : wrongRoom(lobby)],
    ['late', isLate ? [[`an event came ${worst.lateMs} ms late`, worst.event]] : []],
    ['ended', lateMaxMs === Infinity ? [] : clients.flatMap((client) => wrongEnding(history, client))],
  ];
  const violations = found.flatMap(([kind, wrong]) =>
    [...wrong].map(([text, event]): Violation => {
      const named = event && { event: `${event.type}, number ${event.seq}` };
      return { kind, lobbyId, code, ...named, text };
    }),
  );
  return {
    violations,
    games: log.filter(({ type }) => type === 'game:finished').length,
    rounds: log.filter(({ type }) => type === 'game:answer_result').length,
    events: heard.length,
    reconnects: clients.reduce((sum, client) => sum + reconnectsOf(client), 0),
    /** How late each timed event came, ms. */
    latenessMs: timed.map(({ lateMs }) => lateMs),
    /** The number of judged answers by user id; NaN if it can't be known. */
    judged: new Map(answers.map(({ userId, judged }) => [userId, judged])),
    /** The number of answers whose loss a failover explains, and the runbook allows. */
    lostAnswers: answers.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/** Attempts don't count: while a store is away, each client makes one again and again. */
const reconnectsOf = ({ connections }: Client) =>
  Math.max(0, connections.filter(({ openedAtMs }) => openedAtMs !== null).length - 1);

function* wrongGameQuestions({ history, games }: LobbyLog): Generator<Wrong> {
  for (const events of games.values()) {
    const results = events.filter((event) => event.type === 'game:answer_result');
    const solutions = new Map(results.map(({ questionId, correctOptionId }) => [questionId, correctOptionId]));
    const asked = events.filter((event) => event.type === 'game:question');
    // A round that a failover has lost is asked anew with its question; no other round has that question.
    const questions = new Map(asked.map((event) => [`${event.round} ${event.question.questionId}`, event]));
    const judged = [...questions.values()].map((event) => {
      const { question } = event;
      return { question, event, correctOptionId: solutions.get(question.questionId) ?? null };
    });
    yield* wrongQuestions(judged, history.words);
  }
}

/**
 * Each message gets one `ack` or one `error`, which is never a 500, whatever has failed. A connection's messages are
 * handled in turn, so that only the last ones may have no reply, where the connection ended before; one that comes too
 * soon is refused at once. [contract 1, 17, 23]
 */
function* wrongReplies({ sent, user }: Client): Generator<Wrong> {
  for (const ofOne of Map.groupBy(sent, ({ connection }) => connection).values()) {
    const last = ofOne.findLastIndex(({ replies, refusal }) => replies.length > 0 && refusal?.code !== 429);
    for (const [index, { message, replies, refusal }] of ofOne.entries()) {
      const got = replies.join(' and ') || 'no reply, though a later message did';
      if (replies.length > 1 || (replies.length === 0 && index < last))
        yield [`${user.name}'s ${message.type} got ${got}`];
      if (refusal?.code === 500) yield [`${user.name}'s ${message.type} got a 500`];
    }
  }
}

const REMOVED_CODES: readonly string[] = ['NOT_IN_LOBBY', 'NOT_A_MEMBER', 'KICKED'];

/** A lobby may end with an error only for users who have left or were removed. */
function wrongEnding({ leaving, kicked }: LobbyHistory, { user, failure }: Client): Wrong[] {
  const isOut = leaving.includes(user.id) || kicked.includes(user.id);
  if (!failure || (isOut && REMOVED_CODES.includes(failure.code))) return [];
  return [[`${user.name}'s lobby ended: ${failure.message}`]];
}

/**
 * The tolerance for an event that comes before its time, ms. The network explains so much; an event that is
 * earlier was brought about by the host.
 */
const EARLY_MS = 100;

/** @returns the timed events, and how late each came, ms, where one connection received both ends of the wait */
function timedEvents({ received }: Client): { event: ServerEvent; lateMs: number }[] {
  const timed: { event: ServerEvent; lateMs: number }[] = [];
  let due: { atMs: number; connection: number } | null = null;
  for (const { event, atMs, connection } of received) {
    if (event.snapshot || !event.type.startsWith('game:')) continue;
    const isCut = event.type === 'game:answer_result' && event.reason !== 'timeout';
    const lateMs = due?.connection === connection ? atMs - due.atMs : Number.NaN;
    if (!isCut && lateMs >= -EARLY_MS) timed.push({ event, lateMs: Math.max(0, lateMs) });
    due = null;
    if (event.type === 'game:question') due = { atMs: atMs + event.remainingMs, connection };
    if (event.type === 'game:answer_result') due = { atMs: atMs + event.nextInMs, connection };
  }
  return timed;
}
