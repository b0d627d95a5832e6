// The checkers of `npm run prove` for rooms, games, quizzes and homework accept a correct history and report each
// single change that makes it wrong.
import { describe, expect, it } from 'vitest';
import { checkLobby } from '../../src/tools/prove/checker/checker.ts';
import { checkHomework, checkQuiz } from '../../src/tools/prove/checker/quiz.ts';
import { wrongRoom } from '../../src/tools/prove/checker/room.ts';
import type { LobbyHistory } from '../../src/tools/prove/history.ts';
import type { HomeworkHistory } from '../../src/tools/prove/learn.ts';
import { both, type Event, type HistoryChange, lobbyHistory } from '../support/lobby-history.ts';

/** A lobby that Ann presents. Cleo was removed before the game, and Dan was refused since the lobby is locked. */
function room() {
  const member = (userId: string) => ({ userId, name: userId, plays: userId !== 'ann' });
  const state = (...ids: string[]) => ({
    type: 'lobby:state',
    lobby: { hostId: 'ann', locked: true, settings: { hostPlays: false }, players: ids.map(member) },
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
    message: { type: 'game:answer', questionId: 'q', optionId: 0 },
    atMs: 3,
    connection: 0,
    refusal: { code: 409, reason: 'NOT_IN_GAME', atMs: 3 },
    replies: ['error'],
  };
  const progress = { type: 'game:progress', gameId: 'g', round: 1, answered: 1, awaited: 1 };
  const aside = (message: object, after: number) => ({ message, atMs: 1, connection: 0, after });
  const ann: Event = { user: { id: 'ann', name: 'ann' }, received, sent: [answer] };
  const [ben, cleo]: Event[] = ['ben', 'cleo'].map((id) => ({ user: { id, name: id }, received }));
  Object.assign(ann, { asides: [aside(progress, 3)], connections: [{ closedAtMs: 60_000 }] });
  Object.assign(ben, { asides: [], sent: [], connections: [] });
  Object.assign(cleo, { asides: [aside({ type: 'lobby:kicked' }, 1)], sent: [], connections: [] });
  const joins: Event[] = [
    { userId: 'dan', fromMs: 1, refusal: 'LOBBY_LOCKED' },
    { userId: 'cleo', fromMs: 5, refusal: 'KICKED' },
  ];
  const members = ['ann', 'ben'];
  const settings: LobbyHistory['settings'] = { scoring: 'accuracy', hostPlays: false };
  return { log, clients: [ann, ben, cleo], joins, members, settings, answer, progress };
}

const violationTexts = ({ log, ...history }: ReturnType<typeof room>) =>
  [...wrongRoom({ history: history as unknown as LobbyHistory, log })].map(([text]) => text);

describe('a room', () => {
  it('has no violation if all decisions of the host take effect', () => {
    expect(violationTexts(room())).toEqual([]);
  });

  it.each<[string, RegExp, (of: ReturnType<typeof room>) => unknown]>([
    ['a removed player can join again', /a later join got null/, ({ joins }) => (joins[1].refusal = null)],
    ['a removed player is a member', /is a member/, ({ members }) => members.push('cleo')],
    [
      'a removed player appears again',
      /is there again/,
      ({ log }) => log.push({ ...log[0], seq: 6, lobby: { ...log[0].lobby, locked: false } }),
    ],
    [
      'a user joins a locked lobby',
      /somebody joined a locked lobby/,
      ({ log }) => log.splice(0, 2, { ...log[1], seq: 1 }, { ...log[0], seq: 2 }),
    ],
    [
      'a user is refused by a lock that was never set',
      /by a lock that never was/,
      ({ log }) => log.slice(0, 2).map(({ lobby }) => (lobby.locked = false)),
    ],
    ['the presenter plays', /is presented by/, ({ log }) => (log[1].lobby.players[0].plays = true)],
    [
      'the presenter has a score',
      /presents, and is in game:finished/,
      ({ log }) => log[4].scores.push({ userId: 'ann' }),
    ],
    [
      'an answer of the presenter is accepted',
      /an answer is taken/,
      ({ answer }) => Object.assign(answer, { refusal: null, replies: ['ack'] }),
    ],
    [
      'an answer of the presenter is refused with another code',
      /an answer is ROUND_CLOSED/,
      ({ answer }) => (answer.refusal.reason = 'ROUND_CLOSED'),
    ],
    [
      'two players of a lobby with unique names have the same',
      /number 1: two players have one name/,
      ({ log }) =>
        Object.assign(log[0].lobby, {
          settings: { ...log[0].lobby.settings, names: 'unique' },
          players: log[0].lobby.players.map((player: object) => ({ ...player, name: 'Ann' })),
        }),
    ],
    ['more players have answered than there are', /2 of 1 have answered/, ({ progress }) => (progress.answered = 2)],
    [
      'a player receives the progress of a round',
      /does not present/,
      ({ clients }) => (clients[1].asides = clients[0].asides),
    ],
    [
      'the progress of a round comes after its result',
      /after its result/,
      ({ clients }) => (clients[0].asides[0].after = 4),
    ],
  ])('has a violation if %s', (_what, pattern, change) => {
    const changed = room();
    change(changed);
    expect(violationTexts(changed)).toContainEqual(expect.stringMatching(pattern));
  });
});

describe('a game', () => {
  it.each<[string, RegExp, HistoryChange]>([
    ['its last result announces another question', /has isLast false/, both(4, { isLast: false, nextInMs: 0 })],
    ['it asks a word twice', /word 1 is asked twice/, both(3, ({ question }) => (question.prompt = 'word 1'))],
    [
      'a question has an option twice',
      /3 different options/,
      both(1, ({ question }) => (question.options = question.options.with(0, { optionId: 0, text: 'Due ' }))),
    ],
  ])('has a violation if %s', (_what, pattern, change) => {
    const { violations } = checkLobby(lobbyHistory(change), {});
    expect(violations.map(({ text }) => text)).toContainEqual(expect.stringMatching(pattern));
  });

  it('has a violation if a question or its right option is not in the list', () => {
    const terms = ['due', 'uno', 'tre', 'quattro', 'cinque'].map((targetText, index) => ({
      sourceText: `word ${index === 1 ? 2 : 1}`,
      targetText,
    }));
    const { violations } = checkLobby({ ...lobbyHistory(), words: terms }, {});
    const texts = violations.map(({ text }) => text);
    // Both rounds have `due` as their right option, but the list translates the second word by `uno`.
    expect(texts).toContain('due is no translation of word 2');
    expect(texts).toContain('uno, which is a translation of word 2, is wrong');
  });
});

/** A quiz of two questions, each of which was answered twice. */
function quiz() {
  const options = ['uno', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text }));
  const judged = (questionId: string, optionId: number, answered: number, correct: number) => ({
    questionId,
    optionId,
    refusal: null,
    result: {
      sessionId: 's',
      questionId,
      selectedOptionId: optionId,
      correctOptionId: 1,
      nonce: 'n',
      isCorrect: optionId === 1,
      score: { correct, answered, total: 2 },
    },
  });
  const answers: Event[] = [
    { ...judged('q1', 1, 1, 1), again: 'QUESTION_ALREADY_ANSWERED', stranger: 'SESSION_FORBIDDEN' },
    { ...judged('q2', 0, 2, 1), again: 'SESSION_NOT_FOUND', stranger: null },
  ];
  const questions: Event[] = ['q1', 'q2'].map((questionId) => ({
    questionId,
    prompt: questionId,
    options,
    commitment: 'c',
  }));
  return { userId: 'u', sessionId: 's', questionCount: 2, questions, words: null, answers };
}

describe('a quiz', () => {
  const textsOf = (of: ReturnType<typeof quiz>) => checkQuiz(of).map(({ text }) => text);

  it('has no violation if each question is judged once', () => {
    expect(textsOf(quiz())).toEqual([]);
  });

  it.each<[string, RegExp, (of: ReturnType<typeof quiz>) => unknown]>([
    [
      'it refuses an answer',
      /answer 1 of 2 is refused/,
      ({ answers }) => Object.assign(answers[0], { result: null, refusal: 'QUESTION_ALREADY_ANSWERED' }),
    ],
    ['it has too few questions', /has 1 questions/, ({ questions }) => questions.pop()],
    ['it judges an answer twice', /is null, not/, ({ answers }) => (answers[0].again = null)],
    [
      'it accepts the answer of another user',
      /a stranger's answer is QUESTION_NOT_FOUND/,
      ({ answers }) => (answers[0].stranger = 'QUESTION_NOT_FOUND'),
    ],
    [
      'it judges another option than the chosen one',
      /was 0, judged is 3/,
      ({ answers }) => (answers[1].result.selectedOptionId = 3),
    ],
    [
      'it judges a wrong option as right',
      /not judged by its right option/,
      ({ answers }) => (answers[1].result.isCorrect = true),
    ],
    ['its score is wrong', /after answer 2 the score is/, ({ answers }) => (answers[1].result.score.correct = 2)],
  ])('has a violation if %s', (_what, pattern, change) => {
    const changed = quiz();
    change(changed);
    expect(textsOf(changed)).toContainEqual(expect.stringMatching(pattern));
  });
});

/** Homework of two questions, which Ann has answered and got again after one answer. */
function homework() {
  const { questions, answers } = quiz();
  const session = { sessionId: 's', expiresAt: '', questions, attempt: 1 };
  const attempt = {
    userId: 'ann',
    sessionId: 's',
    otherId: 's',
    questions,
    answers,
    again: { done: 1, session: { ...session, answered: structuredClone([answers[0].result]) } },
  };
  const summary = { attempt: 1, startedAt: '', finishedAt: 'then', correct: 1, answered: 2, total: 2 };
  const person = { userId: 'ann', name: 'Ann', isGuest: false, attempts: [summary] };
  return { attempt, summary, person };
}

// [contract 21]
describe('homework', () => {
  const textsOf = ({ attempt, person }: ReturnType<typeof homework>) =>
    checkHomework({
      code: '7KQ2ZD9M',
      questionCount: 2,
      attempts: [attempt],
      results: { people: [person] },
    } as object as HomeworkHistory).map(({ text }) => text);

  it('has no violation if every answer is in the results once', () => {
    expect(textsOf(homework())).toEqual([]);
  });

  it.each<[string, RegExp, (of: ReturnType<typeof homework>) => unknown]>([
    ['two attempts begin at once', /began two attempts/, (of) => (of.attempt.otherId = 't')],
    ['another attempt is given again', /got another attempt/, (of) => (of.attempt.again.session.sessionId = 't')],
    ['an answer is missing in it', /after 1 answers ann got 0/, (of) => of.attempt.again.session.answered.pop()],
    [
      'a judgement is told otherwise',
      /told otherwise/,
      (of) => Object.assign(of.attempt.again.session.answered[0], { isCorrect: false }),
    ],
    ['an answer is lost', /answered 2 times, the results have 1/, (of) => (of.summary.answered = 1)],
    ['an answer counts twice', /has 1 right answers, the results have 2/, (of) => (of.summary.correct = 2)],
    ['a person is missing', /0 entries of ann/, (of) => (of.person.userId = 'ben')],
    ['a finished attempt is open', /not finished/, (of) => Object.assign(of.summary, { finishedAt: null })],
    [
      'an answer is refused',
      /answer 2 of 2 is refused/,
      (of) => Object.assign(of.attempt.answers[1], { result: null, refusal: 'SESSION_NOT_FOUND' }),
    ],
  ])('has a violation if %s', (_, text, change) => {
    const changed = homework();
    change(changed);
    expect(textsOf(changed).join('\n')).toMatch(text);
  });
});
