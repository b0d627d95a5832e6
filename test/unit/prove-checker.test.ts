// What `npm run prove` says of a room and of a quiz for one: what is right gets no complaint, and each
// way of being wrong gets one.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkLobby } from '../../src/prove/checker/checker.ts';
import { checkQuiz } from '../../src/prove/checker/quiz.ts';
import { checkRoom } from '../../src/prove/checker/room.ts';
import type { LobbyHistory, QuizHistory } from '../../src/prove/history.ts';
import { type Doctor, type Event, toldLobby } from '../support/told-lobby.ts';

/** A lobby that Ann presents; Cleo was removed before the game, and Dan found the door locked. */
function room() {
  const member = (userId: string) => ({ userId, name: userId, plays: userId !== 'ann' });
  const state = (...ids: string[]) => ({
    type: 'lobby:state',
    lobby: {
      ...{ hostId: 'ann', locked: true, settings: { hostPlays: false } },
      players: ids.map(member),
    },
  });
  const score = { userId: 'ben', name: 'ben', score: 1 };
  const log: Event[] = [
    state('ann', 'ben', 'cleo'),
    state('ann', 'ben'),
    { type: 'game:question', gameId: 'g', round: 1, question: { questionId: 'q' } },
    { type: 'game:answer_result', gameId: 'g', round: 1, answers: [score], scores: [score] },
    { type: 'game:finished', gameId: 'g', scores: [score], winnerIds: ['ben'] },
  ].map((event, index) => ({ ...event, seq: index + 1, mark: `mark ${index + 1}` }));
  const received = log.map((event, index) => ({ event, atMs: index, connection: 0 }));
  const answer: Event = {
    ...{ message: { type: 'game:answer', questionId: 'q', optionId: 0 }, atMs: 3, connection: 0 },
    refusal: { code: 409, reason: 'NOT_IN_GAME', atMs: 3 },
  };
  const progress = { type: 'game:progress', gameId: 'g', round: 1, answered: 1, awaited: 1 };
  const aside = (message: object, after: number) => ({ message, atMs: 1, connection: 0, after });
  const ann: Event = { user: { id: 'ann', name: 'ann' }, received, sent: [answer] };
  const [ben, cleo]: Event[] = ['ben', 'cleo'].map((id) => ({ user: { id, name: id }, received }));
  Object.assign(ann, { asides: [aside(progress, 3)], connections: [{ closedAtMs: 60_000 }] });
  Object.assign(ben, { asides: [], sent: [], connections: [] });
  Object.assign(cleo, { asides: [aside({ type: 'lobby:kicked' }, 1)], sent: [], connections: [] });
  const attempts: Event[] = [
    { userId: 'dan', fromMs: 1, refusal: 'LOBBY_LOCKED' },
    { userId: 'cleo', fromMs: 5, refusal: 'KICKED' },
  ];
  const members = ['ann', 'ben'];
  const settings: LobbyHistory['settings'] = { scoring: 'accuracy', hostPlays: false };
  return { log, clients: [ann, ben, cleo], attempts, members, settings, answer, progress };
}

const complaints = ({ log, ...history }: ReturnType<typeof room>) =>
  checkRoom(history as unknown as LobbyHistory, log).map(({ text }) => text);

describe('a room', () => {
  it('in which what the host has decided holds gets no complaint', () => {
    expect(complaints(room())).toEqual([]);
  });

  it.each<[string, RegExp, (of: ReturnType<typeof room>) => unknown]>([
    [
      'who was removed is let in',
      /refused with null/,
      ({ attempts }) => (attempts[1].refusal = null),
    ],
    ['who was removed is a member', /is a member/, ({ members }) => members.push('cleo')],
    [
      'who was removed is there again',
      /is there again/,
      ({ log }) => log.push({ ...log[0], seq: 6, lobby: { ...log[0].lobby, locked: false } }),
    ],
    [
      'somebody comes into a locked lobby',
      /came into a locked lobby/,
      ({ log }) => log.splice(0, 2, { ...log[1], seq: 1 }, { ...log[0], seq: 2 }),
    ],
    [
      'the door is locked that never was',
      /it never was/,
      ({ log }) => log.slice(0, 2).map(({ lobby }) => (lobby.locked = false)),
    ],
    ['who presents plays', /is presented by/, ({ log }) => (log[1].lobby.players[0].plays = true)],
    [
      'who presents has a score',
      /presents, and is in game:finished/,
      ({ log }) => log[4].scores.push({ userId: 'ann' }),
    ],
    [
      'an answer of who presents is taken',
      /an answer is taken/,
      ({ answer }) => (answer.refusal = null),
    ],
    [
      'an answer of who presents is refused for another reason',
      /an answer is ROUND_CLOSED/,
      ({ answer }) => (answer.refusal.reason = 'ROUND_CLOSED'),
    ],
    [
      'the game has other rounds than the lobby said',
      /has 3 rounds, and not/,
      ({ log }) => (log.find(({ type }) => type === 'game:question').totalRounds = 3),
    ],
    [
      'more have answered than play',
      /2 of 1 have answered/,
      ({ progress }) => (progress.answered = 2),
    ],
    [
      'a player is told how many have answered',
      /presents nothing/,
      ({ clients }) => (clients[1].asides = clients[0].asides),
    ],
    [
      'how many have answered is told after the result',
      /after its result/,
      ({ clients }) => (clients[0].asides[0].after = 4),
    ],
  ])('in which %s', (_what, complaint, doctor) => {
    const doctored = room();
    doctor(doctored);
    expect(complaints(doctored)).toContainEqual(expect.stringMatching(complaint));
  });
});

describe('a game', () => {
  const results =
    (doctor: (result: Event) => void): Doctor =>
    ({ ann, ben }) => {
      for (const of of [ann, ben]) doctor(of[4]);
    };

  it.each<[string, RegExp, Doctor]>([
    [
      'whose last result says that a question follows',
      /has isLast false/,
      results((result) => Object.assign(result, { isLast: false, nextInMs: 0 })),
    ],
    [
      'that asks something twice',
      /word 1 is asked twice/,
      ({ ann, ben }) => {
        for (const of of [ann, ben]) of[3].question.prompt = 'word 1';
      },
    ],
    [
      'that has one option twice',
      /3 different options/,
      ({ ann, ben }) => {
        const options = ann[1].question.options.with(0, { optionId: 0, text: 'Due ' });
        for (const of of [ann, ben]) of[1].question = { ...of[1].question, options };
      },
    ],
  ])('%s', (_what, complaint, doctor) => {
    const { violations } = checkLobby(toldLobby(doctor), { losses: [] });
    expect(violations.map(({ text }) => text)).toContainEqual(expect.stringMatching(complaint));
  });

  it('asks what is in the list alone, and calls each of its translations right', () => {
    const terms = ['due', 'uno', 'tre', 'quattro', 'cinque'].map((targetText, index) => ({
      ...{ sourceText: `word ${index === 1 ? 2 : 1}`, targetText },
    }));
    const { violations } = checkLobby({ ...toldLobby(), words: terms }, { losses: [] });
    const texts = violations.map(({ text }) => text);
    // `due` is right in both rounds: no translation of the second word, of which `uno` is one.
    expect(texts).toContain('due is no translation of word 2');
    expect(texts).toContain('uno, which is a translation of word 2, is wrong');
  });
});

/** A quiz of two questions, both answered, and each once more. */
function quiz() {
  const options = ['uno', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text }));
  const commitmentOf = (id: string) => createHash('sha256').update(`${id}:1:n`).digest('base64url');
  const judged = (questionId: string, optionId: number, answered: number, correct: number) => ({
    ...{ questionId, optionId, refusal: null, isRepeated: false },
    result: {
      ...{ sessionId: 's', questionId, selectedOptionId: optionId, correctOptionId: 1, nonce: 'n' },
      ...{ isCorrect: optionId === 1, score: { correct, answered, total: 2 } },
    },
  });
  const answers: Event[] = [
    { ...judged('q1', 1, 1, 1), again: 'QUESTION_ALREADY_ANSWERED', stranger: 'SESSION_FORBIDDEN' },
    { ...judged('q2', 0, 2, 1), again: 'SESSION_NOT_FOUND', stranger: null },
  ];
  const questions: Event[] = ['q1', 'q2'].map((questionId) => ({
    ...{ questionId, prompt: questionId, options, commitment: commitmentOf(questionId) },
  }));
  return { userId: 'u', sessionId: 's', questionCount: 2, questions, words: null, answers };
}

describe('a quiz for one', () => {
  const textsOf = (of: QuizHistory) => checkQuiz(of).map(({ text }) => text);

  it('that is judged as promised gets no complaint', () => {
    expect(textsOf(quiz())).toEqual([]);
  });

  it('may answer with a refusal what was said again because it may have been lost', () => {
    const lost = quiz();
    Object.assign(lost.answers[0], {
      ...{ result: null, refusal: 'QUESTION_ALREADY_ANSWERED', isRepeated: true },
    });
    expect(textsOf(lost)).toEqual([]);
    lost.answers[0].isRepeated = false;
    expect(textsOf(lost)).toContainEqual(expect.stringMatching(/answer 1 of 2 is refused/));
  });

  it.each<[string, RegExp, (of: ReturnType<typeof quiz>) => unknown]>([
    ['has too few questions', /has 1 questions/, ({ questions }) => questions.pop()],
    ['judges an answer twice', /is null, not/, ({ answers }) => (answers[0].again = null)],
    [
      'lets a stranger answer',
      /a stranger's answer is QUESTION_NOT_FOUND/,
      ({ answers }) => (answers[0].stranger = 'QUESTION_NOT_FOUND'),
    ],
    [
      'changes the right answer',
      /is not the one that was promised/,
      ({ answers }) => Object.assign(answers[1].result, { correctOptionId: 2 }),
    ],
    [
      'judges another answer',
      /was 0, judged is 3/,
      ({ answers }) => (answers[1].result.selectedOptionId = 3),
    ],
    [
      'calls right what is wrong',
      /not judged by its right option/,
      ({ answers }) => (answers[1].result.isCorrect = true),
    ],
    [
      'counts wrongly',
      /after answer 2 the score is/,
      ({ answers }) => (answers[1].result.score.correct = 2),
    ],
  ])('that %s', (_what, complaint, doctor) => {
    const doctored = quiz();
    doctor(doctored);
    expect(textsOf(doctored)).toContainEqual(expect.stringMatching(complaint));
  });
});
