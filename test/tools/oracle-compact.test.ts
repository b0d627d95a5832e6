// The checker accepts a correct history of a compact lobby and reports each single change that makes it wrong.
// [contract 19]
import { describe, expect, it } from 'vitest';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { LobbyHistory } from '../../src/tools/prove/history.ts';
import {
  both,
  type Event,
  type HistoryChange,
  kindsOf,
  LOSSES,
  lobbyHistory,
  NO_LOSSES,
  playedOnUnheard,
} from '../support/lobby-history.ts';

const RESULTS = [2, 4];
const END = 5;

const COUNTS = [
  { options: [0, 1, 0, 1], none: 0, correct: 1 },
  { options: [1, 0, 0, 0], none: 1, correct: 0 },
];
const you = (selectedOptionId: number | null, isCorrect: boolean, score: number, rank: number) => {
  return { selectedOptionId, isCorrect, points: Number(isCorrect), score, rank };
};
const PARTS: Record<string, [Event, Event, Event]> = {
  ann: [you(1, true, 1, 1), you(0, false, 1, 1), { score: 1, correct: 1, rank: 1 }],
  ben: [you(3, false, 0, 2), you(null, false, 0, 2), { score: 0, correct: 0, rank: 2 }],
};

/** Turns the events of an ordinary lobby into those that a user of a compact one gets. */
function compact(events: Event[], userId: string): void {
  events[0].lobby.compact = true;
  for (const [round, index] of RESULTS.entries()) {
    delete events[index].answers;
    Object.assign(events[index], { counts: structuredClone(COUNTS[round]) });
  }
  Object.assign(events[END], { winnerCount: 1 });
  for (const [part, index] of [...RESULTS, END].entries()) events[index].you = structuredClone(PARTS[userId]?.[part]);
}

function history(change: HistoryChange = () => {}): LobbyHistory {
  const whole = lobbyHistory((parts) => {
    compact(parts.ann, 'ann');
    compact(parts.ben, 'ben');
    parts.stored[0].scores[0].correct = 1;
    for (const round of parts.stored[0].rounds) round.options = round.question.options;
    change(parts);
  });
  return { ...whole, settings: { ...whole.settings, compact: true } };
}

describe('the history of a compact lobby', () => {
  it('has no violation if it is correct', () => {
    const judged = new Map(Object.entries({ ann: 2, ben: 1 }));
    expect(checkLobby(history(), NO_LOSSES)).toMatchObject({ violations: [], games: 1, rounds: 2, judged });
  });

  it('may go back after a failover so that the result of a round that is played on reaches nobody', () => {
    const turned = history(playedOnUnheard);
    expect(kindsOf(turned, LOSSES)).toEqual(new Set());
    expect(kindsOf(turned)).toContain('compact');
  });

  it.each<[string, string, HistoryChange]>([
    ['a part has another answer', 'compact', ({ ben }) => (ben[2].you.selectedOptionId = 2)],
    ['a part has other points', 'compact', ({ ann }) => (ann[2].you.points = 2)],
    ['a part has another score', 'compact', ({ ann }) => (ann[4].you.score = 2)],
    ['a part has another rank', 'compact', ({ ben }) => (ben[2].you.rank = 1)],
    ['a player gets no part', 'compact', ({ ann }) => delete ann[2].you],
    ['a player gets the part of another one', 'compact', ({ ann }) => (ann[2].you = PARTS.ben?.[0])],
    ['the end has another rank', 'compact', ({ ben }) => (ben[END].you.rank = 3)],
    [
      'a snapshot has another part',
      'compact',
      ({ ben }) => ben.push({ ...ben[END], snapshot: true, you: PARTS.ann?.[2] }),
    ],
    ['the counts of options are wrong', 'compact', both(2, (event) => (event.counts.options[0] = 1))],
    ['the number of the silent is wrong', 'compact', both(4, (event) => (event.counts.none = 0))],
    ['the best are in the wrong order', 'compact', both(2, (event) => event.scores.reverse())],
    ['a winner is missing in the count', 'compact', both(END, { winnerCount: 0 })],
    ['the winners are others', 'compact', both(END, { winnerIds: ['ben'] })],
    ['everybody gets everybody’s answers', 'compact', (of) => both(2, { answers: of.stored[0].rounds[0].answers })(of)],
    ['the lobby names another player', 'compact', ({ ann }) => ann[0].lobby.players.push({ userId: 'ben' })],
    ['two clients get different counts', 'same', ({ ann }) => (ann[2].counts.none = 1)],
    ['a round is not stored', 'compact', ({ stored }) => stored[0].rounds.pop()],
    ['the lobby is not compact', 'compact', ({ ben }) => (ben[0].lobby.compact = false)],
    ['an answer is judged that was not given', 'answers', ({ annSent }) => (annSent[2].message.optionId = 3)],
    [
      'a round ends though a player is awaited',
      'game',
      (of) => {
        both(4, { reason: 'all_answered' })(of);
        of.stored[0].rounds[1].reason = 'all_answered';
      },
    ],
  ])('has a violation if %s', (_what, kind, change) => {
    expect(kindsOf(history(change))).toContain(kind);
  });
});

describe('a compact lobby of more players than there are places', () => {
  const PLACES = 10;
  const SILENT = ['kim', 'lea', 'max', 'noa', 'oli', 'pia', 'quin', 'rea', 'sam', 'tom'];
  const last = you(null, false, 0, 2);

  /** Adds players who are present, but answer nothing; all have as many points as Ben, who is before them. */
  function crowd(change: HistoryChange = () => {}): LobbyHistory {
    return history((parts) => {
      const game = parts.stored[0];
      for (const id of SILENT) {
        game.scores.push({ userId: id, name: id, score: 0, correct: 0 });
        for (const round of game.rounds) {
          round.reason = 'timeout';
          round.answers.push({ userId: id, selectedOptionId: null, isCorrect: false, points: 0 });
        }
      }
      const best = game.scores.slice(0, PLACES).map(({ userId, name, score }: Event) => ({ userId, name, score }));
      for (const events of [parts.ann, parts.ben]) {
        for (const index of RESULTS) {
          Object.assign(events[index], { reason: 'timeout', scores: structuredClone(best) });
          events[index].counts.none += SILENT.length;
        }
        events[END].scores = structuredClone(best);
      }
      change(parts);
    });
  }

  it('has no violation if everybody is told the ten best', () => {
    expect(checkLobby(crowd(), NO_LOSSES).violations).toEqual([]);
  });

  it('has no violation if a leaver, whose answers are not listed, has a place among equals', () => {
    const left = crowd(({ stored }) => {
      for (const round of stored[0].rounds)
        round.answers = round.answers.filter(({ userId }: Event) => userId !== 'kim');
    });
    for (const { received } of left.clients)
      for (const { event } of received) if ('counts' in event) (event.counts as Event).none--;
    expect(checkLobby({ ...left, leaving: ['kim'] }, NO_LOSSES).violations).toEqual([]);
  });

  it.each<[string, HistoryChange]>([
    ['an eleventh place is told', both(2, ({ scores }) => scores.push({ userId: 'sam', name: 'sam', score: 0 }))],
    [
      'of equals, one who entered later takes the tenth place',
      both(END, ({ scores }) => scores.splice(9, 1, { userId: 'tom', name: 'tom', score: 0 })),
    ],
    ['equals have different ranks', ({ ben }) => (ben[4].you = { ...last, rank: 3 })],
  ])('has a violation if %s', (_what, change) => {
    expect(kindsOf(crowd(change))).toContain('compact');
  });
});
