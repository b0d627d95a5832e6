// Judges a lobby's whole life by what its clients heard and what is stored. Pure: the same history
// always gets the same verdict.
import type { ServerEvent } from '../../client/types.ts';
import type { Client, LobbyHistory, Span, Violation } from '../history.ts';
import { checkAnswers } from './answers.ts';
import { checkCommitments } from './commitments.ts';
import { readNumbers } from './numbers.ts';
import { gamesOf, replayGame } from './replay.ts';
import { checkSame, mergeLog } from './same.ts';
import { checkStored } from './stored.ts';

export interface Verdict {
  violations: Violation[];
  games: number;
  rounds: number;
  events: number;
  /** What a failover has cost, as the runbook says it may. */
  cost: { rewinds: number; answers: number; games: number };
}

export interface Terms {
  /** When Redis may have lost writes. */
  losses: readonly Span[];
  /** Whether an earlier release plays too, which may say less, and have defects of its own. */
  isMixed: boolean;
}

/** Such a thing can only be when Redis has lost writes. */
const isLossy = (terms: Terms) => terms.losses.length > 0;

export function checkLobby(told: LobbyHistory, terms: Terms): Verdict {
  const history = terms.isMixed ? withoutNews(told) : told;
  const readings = history.clients.map((client) =>
    readNumbers(client, terms.losses, !terms.isMixed),
  );
  const heard = readings.map((reading) => reading.heard);
  const log = mergeLog(heard);
  const games = gamesOf(log);
  const users = Map.groupBy(history.clients, ({ user }) => user.id);
  const answers = [...users.values()].map((of) => checkAnswers(of, log, terms.losses));
  const finished = [...games.values()].filter(isFinished);
  const unfinished = games.size - finished.length;
  const violations = [
    ...readings.flatMap((reading) => reading.violations),
    ...checkSame(heard, terms.losses, !terms.isMixed),
    ...holesOf(log).map((text) => ({ kind: 'numbers', text })),
    ...finished.flatMap((events) => replayGame(history, events)),
    ...answers.flatMap((of) => of.violations),
    ...checkStored(history, log),
    ...(terms.isMixed ? [] : [...checkCommitments(heard), ...history.clients.flatMap(failuresOf)]),
    ...(unfinished > 0 && !isLossy(terms)
      ? [{ kind: 'game', text: `${unfinished} games of the lobby have no end` }]
      : []),
  ];
  return {
    violations: violations.map((violation) => ({ ...violation, lobbyId: history.lobbyId })),
    games: finished.length,
    rounds: log.filter(({ type }) => type === 'game:answer_result').length,
    events: heard.reduce((sum, list) => sum + list.length, 0),
    cost: {
      rewinds: readings.reduce((sum, { rewinds }) => sum + rewinds, 0),
      answers: answers.reduce((sum, { lost }) => sum + lost, 0),
      games: unfinished,
    },
  };
}

/** Fields that the release before may not know of. */
const NEWS: ReadonlySet<string> = new Set([
  ...['snapshot', 'commitment', 'nonce', 'nextInMs', 'nextAt', 'isLast'],
  ...['locked', 'plays', 'roundMs', 'intermissionMs', 'hostPlays', 'lateJoin'],
]);

/** What both releases say; told by the earlier one, an event may have another mark, or none. */
function withoutNews(history: LobbyHistory): LobbyHistory {
  const withoutIts = (event: ServerEvent): ServerEvent => {
    const text = JSON.stringify(event, (key, value) => (NEWS.has(key) ? undefined : value));
    return { ...JSON.parse(text), mark: '' };
  };
  const clients = history.clients.map((client) => ({
    ...client,
    received: client.received.map((item) => ({ ...item, event: withoutIts(item.event) })),
  }));
  return { ...history, clients };
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

/** Between all of them the clients have heard everything. */
function holesOf(log: readonly ServerEvent[]): string[] {
  return log.flatMap(({ seq }, index) => {
    const before = log[index - 1]?.seq ?? seq - 1;
    return seq === before + 1 ? [] : [`nobody has heard ${before + 1} to ${seq - 1}`];
  });
}
