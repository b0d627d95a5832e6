// Judges a lobby's whole life by what its clients heard and what is stored. Pure: the same history
// always gets the same verdict.
import type { ServerEvent } from '../../client/types.ts';
import type { Client, LobbyHistory, Span, Violation } from '../history.ts';
import { checkAnswers } from './answers.ts';
import { checkCommitments } from './commitments.ts';
import { readNumbers } from './numbers.ts';
import { wrongQuestions } from './questions.ts';
import { type GameEvent, gamesOf, replayGame } from './replay.ts';
import { checkRoom } from './room.ts';
import { checkSame, mergeLog } from './same.ts';
import { checkStored } from './stored.ts';

type Result = Extract<ServerEvent, { type: 'game:answer_result' }>;

export interface Verdict {
  violations: Violation[];
  games: number;
  rounds: number;
  events: number;
  /** How many answers of each user were judged. */
  judged: ReadonlyMap<string, number>;
  /** What a failover has cost, as the runbook says it may. */
  cost: { rewinds: number; answers: number };
}

export interface Terms {
  /** When Redis may have lost writes. */
  losses: readonly Span[];
}

/** Such a thing can only be when Redis has lost writes. */
const isLossy = (terms: Terms) => terms.losses.length > 0;

export function checkLobby(history: LobbyHistory, terms: Terms): Verdict {
  const readings = history.clients.map((client) => readNumbers(client, terms.losses));
  const heard = readings.map((reading) => reading.heard);
  const log = mergeLog(heard, isLossy(terms));
  const games = gamesOf(log);
  const users = Map.groupBy(history.clients, ({ user }) => user.id);
  const answers = [...users.values()].map((of) => checkAnswers(of, log, terms.losses));
  const finished = [...games.values()].filter(isFinished);
  const unfinished = games.size - finished.length;
  const violations = [
    ...readings.flatMap((reading) => reading.violations),
    ...checkSame(heard, terms.losses),
    ...holesOf(log).map((text) => ({ kind: 'numbers', text })),
    ...finished.flatMap((events) =>
      isToldWhole(events, log) ? replayGame(history, events, isLossy(terms)) : [],
    ),
    ...answers.flatMap((of) => of.violations),
    ...checkStored(history, log),
    ...checkCommitments(heard),
    ...[...games.values()].flatMap((events) => checkQuestions(history, events)),
    ...history.clients.flatMap(failuresOf),
    ...(isLossy(terms) ? [] : checkRoom(history, log)),
    ...(unfinished > 0 && !isLossy(terms)
      ? [{ kind: 'game', text: `${unfinished} games of the lobby have no end` }]
      : []),
  ];
  return {
    violations: violations.map((violation) => ({ ...violation, lobbyId: history.lobbyId })),
    games: finished.length,
    rounds: log.filter(({ type }) => type === 'game:answer_result').length,
    events: heard.reduce((sum, list) => sum + list.length, 0),
    judged: judgedOf(log),
    cost: {
      rewinds: readings.reduce((sum, { rewinds }) => sum + rewinds, 0),
      answers: answers.reduce((sum, { lost }) => sum + lost, 0),
    },
  };
}

function checkQuestions({ words }: LobbyHistory, events: readonly ServerEvent[]): Violation[] {
  const asked = events.flatMap((event) => {
    if (event.type !== 'game:question') return [];
    const { question } = event;
    const isIts = (of: ServerEvent) =>
      of.type === 'game:answer_result' && of.questionId === question.questionId;
    const result = events.find(isIts) as Result | undefined;
    return [{ question, correctOptionId: result?.correctOptionId ?? null }];
  });
  return [...wrongQuestions(asked, words)].map((text) => ({ kind: 'questions', text }));
}

function judgedOf(log: readonly ServerEvent[]): Map<string, number> {
  const judged = new Map<string, number>();
  for (const event of log) {
    if (event.type !== 'game:answer_result') continue;
    for (const { userId, selectedOptionId } of event.answers)
      if (selectedOptionId !== null) judged.set(userId, (judged.get(userId) ?? 0) + 1);
  }
  return judged;
}

const isFinished = (events: readonly ServerEvent[]) => events.at(-1)?.type === 'game:finished';

/** Whatever is harmed, the service knows what to say. [contract 1] */
function failuresOf({ sent, user }: Client): Violation[] {
  return sent.flatMap(({ message, refusal }) =>
    refusal?.code === 500
      ? [{ kind: 'failure', text: `${user.name}'s ${message.type} got a 500` }]
      : [],
  );
}

/** What happened between a failover and the snapshots that it made necessary was told to nobody. */
function isToldWhole(events: readonly GameEvent[], log: readonly ServerEvent[]): boolean {
  const [first, last] = [events[0]?.seq ?? 0, events.at(-1)?.seq ?? 0];
  const before = log.findLast(({ seq, type }) => seq < first && type === 'game:finished') ?? log[0];
  const fromSeq = before?.seq ?? 0;
  return !log.some(({ seq, snapshot }) => snapshot && seq > fromSeq && seq < last);
}

/** Between all of them the clients have heard everything; a snapshot tells what came before it. */
function holesOf(log: readonly ServerEvent[]): string[] {
  return log.flatMap(({ seq, snapshot }, index) => {
    const before = log[index - 1]?.seq ?? seq - 1;
    return snapshot || seq === before + 1 ? [] : [`nobody has heard ${before + 1} to ${seq - 1}`];
  });
}
