// The checker of chaos runs accepts a correct history and reports each single change that makes it wrong. After a
// failover it accepts that Redis has lost its last writes, and nothing more.
import { describe, expect, it } from 'vitest';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import type { Client, LobbyHistory } from '../../src/tools/prove/history.ts';
import {
  both,
  type Event,
  type HistoryChange,
  lobbyHistory as history,
  kindsOf,
  LOSSES,
  NO_LOSSES,
  playedOnUnheard,
} from '../support/lobby-history.ts';

/** Options two of which differ in nothing that a player sees. */
const TWICE = ['Due ', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text }));
const LOBBY = { lobbyId: 'l', code: 'CODE' };

/** @returns the first event, which is a snapshot of the lobby, as an ordinary event with this position */
const stateAt = ([{ snapshot: _, ...state }]: Event[], seq: number, mark: string): Event => ({ ...state, seq, mark });

/** @returns a change of what each of the two players receives */
const each =
  (change: (of: Event[]) => unknown): HistoryChange =>
  ({ ann, ben }) =>
    [ann, ben].map(change);

describe('a lobby’s history', () => {
  it('has no violation if it is correct', () => {
    expect(checkLobby(history(), NO_LOSSES)).toMatchObject({ violations: [], games: 1, rounds: 2 });
  });

  describe('in which a player has left after an answer', () => {
    /** Ann answers the first round correctly and leaves before Ben does. @param score Ann's score afterwards */
    function departure(score: number): LobbyHistory {
      const changed = history(({ ann, ben, annSent, stored }) => {
        annSent.pop();
        for (const events of [ann, ben, [stored[0].rounds[0]], [stored[0].rounds[1]], stored])
          for (const { answers = [], scores = [] } of events) {
            answers.splice(0, answers.length, ...answers.filter((of: Event) => of.userId !== 'ann'));
            for (const of of scores) if (of.userId === 'ann') of.score = score;
          }
        if (score > 0) return;
        for (const { winnerIds } of [ann[5], ben[5], stored[0]]) winnerIds.splice(0, 1, 'ann', 'ben');
      });
      return { ...changed, leaving: ['ann'], members: ['ben'] };
    }

    it.each<[string, number, string[]]>([
      ['no violation if the scores include the answer’s points', 1, []],
      ['a violation if the scores lack the points', 0, ['answers']],
      ['a violation if the scores have more than the possible points', 2, ['game']],
    ])('has %s', (_what, score, kinds) => {
      expect(kindsOf(departure(score))).toEqual(new Set(kinds));
      expect(checkLobby(departure(score), NO_LOSSES).judged.get('ann')).toBeNaN();
    });
  });

  it.each<[what: string, kind: string, event: number | null, change: HistoryChange]>([
    ['an event is missing', 'numbers', 4, ({ ann }) => ann.splice(2, 1)],
    ['an event is sent twice', 'numbers', 3, ({ ann }) => ann.splice(2, 0, ann[2])],
    ['two events are swapped', 'numbers', 3, ({ ann }) => ann.splice(1, 2, ann[2], ann[1])],
    ['no client receives an event', 'numbers', 5, each((of) => of.splice(3, 1))],
    ['two clients receive different events', 'same', 3, ({ ann }) => (ann[2].reason = 'timeout')],
    ['a number has two marks', 'same', 4, ({ ann }) => (ann[3].mark = 'another')],
    ['two events have one mark', 'same', 4, ({ ann }) => (ann[3].mark = ann[2].mark)],
    ['a mark is missing', 'marks', 4, both(3, { mark: undefined })],
    ['a mark is empty', 'marks', 2, both(1, { mark: '' })],
    ['two rounds ask the same question', 'questions', 4, (of) => both(3, { question: of.ann[1].question })(of)],
    ['two rounds ask the same word', 'questions', 4, both(3, ({ question }) => (question.prompt = 'word 1'))],
    ['an option comes twice', 'questions', 2, both(1, ({ question }) => (question.options = TWICE))],
    ['a mark is too long', 'marks', 4, both(3, { mark: 'x'.repeat(17) })],
    ['a round is judged twice', 'game', 2, both(4, { round: 1 })],
    ['a round ends too early', 'game', 5, both(4, { reason: 'all_answered' })],
    ['the last result announces another question', 'game', 5, both(4, { isLast: false })],
    ['a score is wrong', 'game', 5, both(4, (event) => event.scores.reverse())],
    ['the wrong player wins', 'game', 6, both(5, { winnerIds: ['ben'] })],
    ['a game has no end', 'game', 5, each((of) => of.pop())],
    ['an answer counts that was never sent', 'answers', 5, ({ annSent }) => annSent.pop()],
    ['another answer counts than was sent', 'answers', 3, ({ annSent }) => (annSent[1].message.optionId = 2)],
    ['a snapshot is not marked as one', 'numbers', 2, ({ ann }) => ann.splice(2, 0, stateAt(ann, 2, 'mark 2'))],
    ['two clients receive different commitments', 'same', 2, ({ ann }) => (ann[1].question.commitment = 'another')],
    ['a question has no commitment', 'questions', 2, both(1, ({ question }) => delete question.commitment)],
    ['points for a streak are given without one', 'game', 3, both(2, ({ answers }) => (answers[0].points = 101))],
    ['a stored round is wrong', 'stored', 6, ({ stored }) => (stored[0].rounds[1].answers = [])],
    ['a round is not stored', 'stored', 6, ({ stored }) => stored[0].rounds.pop()],
    ['the result is not stored', 'stored', 6, ({ stored }) => stored.pop()],
    ['the stored result is wrong', 'stored', 6, ({ stored }) => (stored[0].winnerIds = ['ben'])],
    ['a stored result was never sent', 'stored', null, ({ stored }) => stored.push({ ...stored[0], gameId: 'h' })],
    ['a message gets two replies', 'replies', null, ({ annSent }) => annSent[2].replies.push('error')],
    ['a message gets no reply, and a later one does', 'replies', null, ({ annSent }) => annSent[1].replies.pop()],
    ['a message is refused with 500', 'replies', null, ({ annSent }) => (annSent[1].refusal = { code: 500 })],
  ])('has a violation if %s, which names the lobby and the event', (_what, kind, event, change) => {
    const ofEvent = event !== null && { event: expect.stringMatching(`^(lobby|game):[a-z_]+, number ${event}$`) };
    const { violations } = checkLobby(history(change), NO_LOSSES);
    expect(violations).toContainEqual({ kind, ...LOBBY, ...ofEvent, text: expect.any(String) });
  });

  it('has a violation if a question or its right option is not in the list', () => {
    const terms = ['due', 'uno', 'tre', 'quattro', 'cinque'].map((targetText, index) => ({
      sourceText: `word ${index === 1 ? 2 : 1}`,
      targetText,
    }));
    const { violations } = checkLobby({ ...history(), words: terms }, NO_LOSSES);
    // Both rounds have `due` as their right option, but the list translates the second word by `uno`.
    expect(violations.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['due is no translation of word 2', 'uno, which is a translation of word 2, is wrong']),
    );
  });

  it('may have snapshots for one client with events that are still on their way to others', () => {
    const summed = history(({ ann, ben }) => {
      // `game:ready` is answered with the open question again.
      ann.splice(2, 0, { ...ann[1], remainingMs: 5, snapshot: true });
      // One snapshot has the number of the next event, and one that of the last event.
      ann.splice(4, 0, { ...ann[1], seq: 4, mark: ann[4].mark, snapshot: true });
      ben.splice(6, 0, { ...ben[0], seq: 5, mark: ben[5].mark, snapshot: true });
    });
    expect(kindsOf(summed)).toEqual(new Set());
  });

  it('has a violation if an accepted answer is not judged', () => {
    const none = { selectedOptionId: null, isCorrect: false, points: 0 };
    const silent = history(both(2, ({ answers }) => Object.assign(answers[0], none)));
    expect(kindsOf(silent)).toContain('answers');
    expect(kindsOf(silent, LOSSES)).not.toContain('answers');
    expect(checkLobby(silent, LOSSES).lostAnswers).toBe(1);
  });

  it('may end a game early when the last player has left between two rounds', () => {
    const cutShort = history(({ ann, ben, annSent }) => {
      annSent.splice(2, 1);
      for (const of of [ann, ben]) {
        of.splice(3, 2);
        Object.assign(of[3], { seq: 4, mark: 'mark 4' });
      }
    });
    expect(kindsOf(cutShort)).toContain('game');
    expect(kindsOf({ ...cutShort, leaving: ['ann', 'ben'] })).not.toContain('game');
  });

  it('has a violation if a user who joined is no member', () => {
    expect(kindsOf({ ...history(), members: ['ann'] })).toEqual(new Set(['stored']));
  });

  it('has no members after the lobby was closed', () => {
    const closed = history(each((of) => of.push({ type: 'lobby:closed', seq: 7, mark: 'mark 7' })));
    expect(kindsOf({ ...closed, members: [] })).toEqual(new Set());
    expect(kindsOf(closed)).toEqual(new Set(['stored']));
  });

  it('may have a result that nobody received of a game that ended after all had left', () => {
    const unheard = (finishedMs: number) =>
      history(({ stored }) => {
        const finishedAt = new Date(finishedMs).toISOString();
        stored.push({ ...stored[0], gameId: 'h', finishedAt });
      });
    const late = unheard(60_001);
    expect(kindsOf(late)).toEqual(new Set());
    const attempt = { wantedAtMs: 59_000, openedAtMs: null, closedAtMs: 70_000 };
    const [ann, ben] = late.clients as [Client, Client];
    const trying = { ...ann, connections: [...ann.connections, attempt] };
    expect(kindsOf({ ...late, clients: [trying, ben] })).toEqual(new Set());
    expect(kindsOf(unheard(60_000))).toEqual(new Set(['stored']));
  });
});

describe('after a failover, a lobby’s history', () => {
  it('may go back if every client gets a snapshot', () => {
    const turned = (isTold: boolean) =>
      history(({ ann }) => {
        // Ann receives a third event that the failover loses, then a snapshot or none.
        const snapshot = { ...ann[0], seq: 3, mark: 'mark 3' };
        ann.splice(2, 1, stateAt(ann, 3, 'gone'), ...(isTold ? [snapshot] : []));
      });
    expect(kindsOf(turned(true), LOSSES)).toEqual(new Set());
    expect(kindsOf(turned(false), LOSSES)).toEqual(new Set(['marks']));
  });

  it.each<[string, string, HistoryChange]>([
    [
      'go back so that a question appears in snapshots only',
      'game',
      each((of) => {
        const [state, { seq, mark, ...question }] = of as [Event, Event];
        const snapshot = [state, question].map((event) => ({ ...event, seq, mark, snapshot: true }));
        of.splice(1, 1, stateAt(of, 2, 'gone'), ...snapshot);
      }),
    ],
    ['go back so that the result of a round that is played on reaches nobody', 'stored', playedOnUnheard],
    [
      'go back to before a game whose end was sent and stored',
      'numbers',
      each((of) => of.push({ ...of[0], mark: 'turned' }, stateAt(of, 2, 'next'))),
    ],
    [
      'go back to a state that appears in snapshots only',
      'numbers',
      each((of) => {
        const later = of.splice(1).map((event) => ({ ...event, seq: event.seq + 2 }));
        const snapshots = [
          { ...of[0], mark: 'other' },
          { ...of[0], seq: 3, mark: 'next' },
        ];
        of.push(stateAt(of, 2, 'gone'), ...snapshots, ...later);
      }),
    ],
    [
      'go back to before a game’s end, which is then sent again',
      'game',
      each((of) => of.push({ ...of[0], seq: 6, mark: 'turned' }, { ...of[5], seq: 7, mark: 'again' })),
    ],
    [
      'go back and continue before the clients get a snapshot',
      'game',
      each((of) => of.splice(2, 1, { ...of[0], seq: 3, mark: 'turned' })),
    ],
    [
      'send a game’s end that was stored before a failover',
      'game',
      (parts) => {
        const scores = parts.ann[5].scores.map((score: object) => ({ ...score, score: 0 }));
        both(5, { scores, winnerIds: ['ann', 'ben'] })(parts);
        Object.assign(parts.stored[0], { scores, winnerIds: ['ann', 'ben'] });
      },
    ],
    [
      'go back while one client lags, so that others get a snapshot before its events',
      'numbers',
      ({ ann, ben }) => {
        ann.splice(2, 0, stateAt(ann, 3, 'gone'));
        const [state, question] = [ben[0], ben[3]];
        ben.splice(2, 2, { ...state, seq: 4, mark: question.mark }, { ...question, snapshot: true });
      },
    ],
    [
      'go back and ask a question again under a later number',
      'game',
      each((of) => {
        const snapshot = [of[0], of[1]].map((event) => ({ ...event, snapshot: true, seq: 5, mark: 'turned' }));
        const again = of.slice(2).map((event) => ({ ...event, seq: event.seq + 3, mark: `again ${event.seq}` }));
        of.splice(4, 2, ...snapshot, ...again);
      }),
    ],
  ])('may %s', (_what, kind, change) => {
    expect(kindsOf(history(change), LOSSES)).toEqual(new Set());
    expect(kindsOf(history(change))).toContain(kind);
  });

  it('may go back to a round that is judged again before the clients get a snapshot', () => {
    const turned = history((parts) => {
      const scores = parts.ann[4].scores.map((score: object) => ({ ...score, score: 0 }));
      each((of) => {
        of.splice(3, 0, { ...of[0], seq: 4, mark: 'turned' });
        of[4].seq = 5;
        Object.assign(of[5], { seq: 6, scores });
        of[6].seq = 7;
      })(parts);
    });
    expect(kindsOf(turned, LOSSES)).not.toContain('game');
    expect(kindsOf(turned)).toContain('game');
  });

  it('may not lose an event, nor the end of a round, without a snapshot', () => {
    const kinds = kindsOf(history(each((of) => of.splice(2, 1))), LOSSES);
    expect(kinds).toContain('numbers');
    expect(kinds).toContain('game');
  });
});
