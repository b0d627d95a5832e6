// Judges a lobby by what its clients received and what the service stored. It is pure: the same history
// always gets the same verdict.
import type { ServerEvent } from '../../../client/types.ts';
import {
  type AnswerResultEvent,
  type Client,
  type LobbyHistory,
  type Sent,
  type Span,
  type Violation,
  violationOf,
} from '../history.ts';
import { expandCompact, sharedPart } from './compact.ts';
import { checkSame, mergeLog, readNumbers } from './log.ts';
import { wrongQuestions } from './quiz.ts';
import { type GameEvent, gamesOf, replayGame } from './replay.ts';
import { checkRoom } from './room.ts';
import { checkAnswers, checkStored } from './stored.ts';

export interface LobbyVerdict {
  violations: Violation[];
  games: number;
  rounds: number;
  events: number;
  /** The number of judged answers by user id; null if it can't be known. */
  judged: ReadonlyMap<string, number | null>;
  /** The losses that failovers explain and the runbook allows. */
  cost: { rewinds: number; answers: number };
}

export interface CheckOptions {
  /** The periods in which Redis may have lost writes. */
  losses: readonly Span[];
}

/** Some checks do not apply if Redis has lost writes. */
const isLossy = (terms: CheckOptions) => terms.losses.length > 0;

export function checkLobby(history: LobbyHistory, terms: CheckOptions): LobbyVerdict {
  const readings = history.clients.map((client) => readNumbers(client, terms.losses));
  const heard = readings.map((reading) => reading.heard);
  const shared = heard.map((list) => list.map((item) => ({ ...item, event: sharedPart(item.event) })));
  const told = mergeLog(shared, isLossy(terms));
  const isCompact = history.settings.compact === true;
  const wholeGames = gamesToldWhole(told);
  const { log, violations: wrongParts } = isCompact
    ? expandCompact(history, heard, told, wholeGames)
    : { log: told, violations: [] };
  const games = gamesOf(log);
  const users = Map.groupBy(history.clients, ({ user }) => user.id);
  const answers = [...users.values()].map((of) => checkAnswers(of, log, terms.losses));
  const finished = [...games.values()].filter(isFinished);
  const unfinished = games.size - finished.length;
  const violations = [
    ...readings.flatMap((reading) => reading.violations),
    ...checkSame(shared, terms.losses),
    ...wrongParts,
    ...holesOf(log),
    ...finished
      .filter(([event]) => event && wholeGames.has(event.gameId))
      .flatMap((events) => replayGame(history, events, isLossy(terms))),
    ...answers.flatMap((of) => of.violations),
    ...checkStored(history, log, wholeGames),
    ...[...games.values()].flatMap((events) => checkQuestions(history, events)),
    ...history.clients.flatMap(failuresOf),
    ...history.clients.flatMap(wrongReplies),
    // No client of a compact lobby knows who is in it.
    ...(isLossy(terms) || isCompact ? [] : checkRoom(history, log)),
    ...(unfinished > 0 && !isLossy(terms)
      ? [{ kind: 'game', text: `${unfinished} games of the lobby have no end` }]
      : []),
  ];
  return {
    violations: violations.map((violation) => ({ ...violation, ...nameOf(history) })),
    games: finished.length,
    rounds: log.filter(({ type }) => type === 'game:answer_result').length,
    events: heard.reduce((sum, list) => sum + list.length, 0),
    judged: judgedOf(log, history.clients),
    cost: {
      rewinds: readings.reduce((sum, { rewinds }) => sum + rewinds, 0),
      answers: answers.reduce((sum, { lost }) => sum + lost, 0),
    },
  };
}

const nameOf = ({ lobbyId, code }: LobbyHistory) => ({ lobbyId, code });

function checkQuestions({ words }: LobbyHistory, events: readonly ServerEvent[]): Violation[] {
  // A round that a failover has lost is asked anew with its question; no other round has that question.
  const questions = new Map(
    events.flatMap((event) => {
      if (event.type !== 'game:question') return [];
      return [[`${event.round} ${event.question.questionId}`, event.question] as const];
    }),
  );
  const asked = [...questions.values()].map((question) => {
    const isIts = (of: ServerEvent) => of.type === 'game:answer_result' && of.questionId === question.questionId;
    const result = events.find(isIts) as AnswerResultEvent | undefined;
    return { question, correctOptionId: result?.correctOptionId ?? null };
  });
  return [...wrongQuestions(asked, words)].map(([text, questionId]) =>
    violationOf(
      'questions',
      text,
      events.find((event) => asks(event, questionId)),
    ),
  );
}

const asks = (event: ServerEvent, questionId: string) =>
  event.type === 'game:question' && event.question.questionId === questionId;

/** A result does not list players who left before it, so the number of their judged answers is unknown. */
function judgedOf(log: readonly ServerEvent[], clients: readonly Client[]): Map<string, number | null> {
  const judged = new Map<string, number | null>();
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    for (const { userId, selectedOptionId, verdict } of event.answers ?? []) {
      const count = judged.get(userId) ?? 0;
      const isGiven = (selectedOptionId ?? verdict ?? null) !== null;
      if (isGiven && judged.get(userId) !== null) judged.set(userId, count + 1);
    }
    for (const { user, sent } of clients) {
      const isListed = event.answers?.some(({ userId }) => userId === user.id);
      const isAnswer = ({ message, refusal }: Client['sent'][0]) =>
        message.type === 'game:answer' && message.questionId === event.questionId && !refusal;
      if (!isListed && sent.some(isAnswer)) judged.set(user.id, null);
    }
  }
  return judged;
}

const isFinished = (events: readonly ServerEvent[]) => events.at(-1)?.type === 'game:finished';

/** The service answers no message with a 500, whatever has failed. [contract 1] */
function failuresOf({ sent, user }: Client): Violation[] {
  return sent.flatMap(({ message, refusal }) =>
    refusal?.code === 500 ? [{ kind: 'failure', text: `${user.name}'s ${message.type} got a 500` }] : [],
  );
}

/**
 * Each message gets one `ack` or one `error`. A connection's messages are handled in turn, so that only the last ones may
 * have none, where the connection ended before; one that comes too soon is refused at once. [contract 17, 23]
 */
function wrongReplies({ sent, user }: Client): Violation[] {
  const isHandled = ({ replies, refusal }: Sent) => replies.length > 0 && refusal?.code !== 429;
  return [...Map.groupBy(sent, ({ connection }) => connection).values()].flatMap((ofOne) => {
    const last = ofOne.findLastIndex(isHandled);
    const wrong = ofOne.filter(({ replies: { length } }, at) => length > 1 || (length === 0 && at < last));
    return wrong.map(({ message, replies }) => ({
      kind: 'replies',
      text: `${user.name}'s ${message.type} got ${replies.join(' and ') || 'no reply, though a later message did'}`,
    }));
  });
}

/** @returns the ids of the games of which no event was hidden from all clients */
function gamesToldWhole(log: readonly ServerEvent[]): Set<string> {
  const whole = [...gamesOf(log)].filter(([, events]) => isToldWhole(events, log));
  return new Set(whole.map(([gameId]) => gameId));
}

/** A snapshot within a game means that a failover hid some of its events from all clients. */
function isToldWhole(events: readonly GameEvent[], log: readonly ServerEvent[]): boolean {
  const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  const before = log.findLast(({ seq, type }) => seq < first && type === 'game:finished') ?? log[0];
  const fromSeq = before?.seq ?? 0;
  return !log.some(({ seq, snapshot }) => snapshot && seq > fromSeq && seq < last);
}

/** Together the clients have received every event; a snapshot stands for the events before it. */
function holesOf(log: readonly ServerEvent[]): Violation[] {
  return log.flatMap((event, index) => {
    const { seq, snapshot } = event;
    const before = log[index - 1]?.seq ?? seq - 1;
    return snapshot || seq === before + 1
      ? []
      : [violationOf('numbers', `no client received events ${before + 1} to ${seq - 1}`, event)];
  });
}
