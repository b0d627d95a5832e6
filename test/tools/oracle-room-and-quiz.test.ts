// The checkers of `npm run prove` for rooms, quizzes and homework accept a correct history and report each single change
// that makes it wrong.
import { describe, expect, it } from 'vitest';
import { checkHomework, checkQuiz } from '../../src/tools/prove/checker/quiz.ts';
import { wrongRoom } from '../../src/tools/prove/checker/room.ts';
import type { LobbyHistory, Violation } from '../../src/tools/prove/history.ts';
import type { HomeworkHistory } from '../../src/tools/prove/learn.ts';
import type { Event } from '../support/lobby-history.ts';

/** Tests a correct history, and changes of it with the violation that each of them causes. */
function describeChecker<History>(
  what: string,
  create: () => History,
  violationsOf: (history: History) => string[],
  changes: [what: string, violation: RegExp, change: (history: History) => unknown][],
): void {
  describe(what, () => {
    it('has no violation if it is correct', () => {
      expect(violationsOf(create())).toEqual([]);
    });

    it.each(changes)('has a violation if %s', (_what, violation, change) => {
      const changed = create();
      change(changed);
      expect(violationsOf(changed)).toContainEqual(expect.stringMatching(violation));
    });
  });
}

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
  const message = { type: 'game:answer', questionId: 'q', optionId: 0 };
  const refusal = { code: 409, reason: 'NOT_IN_GAME', atMs: 3 };
  const answer: Event = { message, atMs: 3, connection: 0, refusal, replies: ['error'] };
  const progress = { type: 'game:progress', gameId: 'g', round: 1, answered: 1, awaited: 1 };
  const client = (id: string, message?: object, after = 1): Event => {
    const asides = message ? [{ message, atMs: 1, connection: 0, after }] : [];
    return { user: { id, name: id }, received, asides, sent: [], connections: [] };
  };
  const ann = { ...client('ann', progress, 3), sent: [answer], connections: [{ closedAtMs: 60_000 }] };
  const clients = [ann, client('ben'), client('cleo', { type: 'lobby:kicked' })];
  const joins: Event[] = [
    { userId: 'dan', fromMs: 1, refusal: 'LOBBY_LOCKED' },
    { userId: 'cleo', fromMs: 5, refusal: 'KICKED' },
  ];
  const members = ['ann', 'ben'];
  const settings: LobbyHistory['settings'] = { scoring: 'accuracy', hostPlays: false };
  return { log, clients, joins, members, settings, answer, progress };
}

const roomViolations = ({ log, ...history }: ReturnType<typeof room>) =>
  [...wrongRoom({ history: history as unknown as LobbyHistory, log })].map(([text]) => text);

const ACCEPTED = { refusal: null, replies: ['ack'] };

describeChecker('a room in which all decisions of the host take effect', room, roomViolations, [
  ['a removed player can join again', /a later join got null/, ({ joins }) => (joins[1].refusal = null)],
  ['a removed player is a member', /is a member/, ({ members }) => members.push('cleo')],
  ['a removed player appears again', /is there again/, ({ log }) => log.push({ ...log[0], seq: 6 })],
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
  ['the presenter has a score', /is in game:finished/, ({ log }) => log[4].scores.push({ userId: 'ann' })],
  ['an answer of the presenter is accepted', /an answer is taken/, ({ answer }) => Object.assign(answer, ACCEPTED)],
  [
    'an answer of the presenter is refused with another code',
    /an answer is ROUND_CLOSED/,
    ({ answer }) => (answer.refusal.reason = 'ROUND_CLOSED'),
  ],
  [
    'two players of a lobby with unique names have the same',
    /number 1: two players have one name/,
    ({ log: [{ lobby }] }) => {
      lobby.settings.names = 'unique';
      for (const player of lobby.players) player.name = 'Ann';
    },
  ],
  ['more players have answered than there are', /2 of 1 have answered/, ({ progress }) => (progress.answered = 2)],
  ['a player gets a round’s progress', /does not present/, ({ clients: [ann, ben] }) => (ben.asides = ann.asides)],
  ['a round’s progress comes after its result', /after its result/, ({ clients: [ann] }) => (ann.asides[0].after = 4)],
]);

/** A quiz of two questions, each of which was answered twice. */
function quiz() {
  const options = ['uno', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text }));
  const judged = (questionId: string, optionId: number, answered: number) => ({
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
      score: { correct: 1, answered, total: 2 },
    },
  });
  const answers: Event[] = [
    { ...judged('q1', 1, 1), again: 'QUESTION_ALREADY_ANSWERED', stranger: 'SESSION_FORBIDDEN' },
    { ...judged('q2', 0, 2), again: 'SESSION_NOT_FOUND', stranger: null },
  ];
  const asked = { options, commitment: 'c' };
  const questions: Event[] = ['q1', 'q2'].map((questionId) => ({ questionId, prompt: questionId, ...asked }));
  return { userId: 'u', sessionId: 's', questionCount: 2, questions, words: null, answers };
}

const refuse = (answer: Event) => Object.assign(answer, { result: null, refusal: 'SESSION_NOT_FOUND' });
const textsOf = (violations: Violation[]) => violations.map(({ text }) => text);

describeChecker('a quiz that judges each question once', quiz, (of) => textsOf(checkQuiz(of)), [
  ['it refuses an answer', /answer 1 of 2 is refused/, ({ answers }) => refuse(answers[0])],
  ['it has too few questions', /has 1 questions/, ({ questions }) => questions.pop()],
  ['it judges an answer twice', /is null, not/, ({ answers }) => (answers[0].again = null)],
  [
    'it accepts the answer of another user',
    /a stranger's answer is QUESTION_NOT_FOUND/,
    ({ answers }) => (answers[0].stranger = 'QUESTION_NOT_FOUND'),
  ],
  ['it judges another option', /was 0, judged is 3/, ({ answers }) => (answers[1].result.selectedOptionId = 3)],
  ['it judges a wrong option as right', /not judged by/, ({ answers }) => (answers[1].result.isCorrect = true)],
  ['its score is wrong', /after answer 2 the score is/, ({ answers }) => (answers[1].result.score.correct = 2)],
]);

/** Homework of two questions, which Ann has answered and got again after one answer. */
function homework() {
  const { questions, answers } = quiz();
  const again = {
    sessionId: 's',
    expiresAt: '',
    questions,
    attempt: 1,
    answered: structuredClone([answers[0].result]),
  };
  const attempt = {
    userId: 'ann',
    sessionId: 's',
    otherId: 's',
    questions,
    answers,
    again: { done: 1, session: again },
  };
  const summary = { attempt: 1, startedAt: '', finishedAt: 'then', correct: 1, answered: 2, total: 2 };
  const person = { userId: 'ann', name: 'Ann', isGuest: false, attempts: [summary] };
  return { attempt, again, summary, person };
}

function homeworkViolations({ attempt, person }: ReturnType<typeof homework>): string[] {
  const history = { code: '7KQ2ZD9M', questionCount: 2, attempts: [attempt], results: { people: [person] } };
  return textsOf(checkHomework(history as object as HomeworkHistory));
}

// [contract 21]
describeChecker('homework whose results have every answer once', homework, homeworkViolations, [
  ['two attempts begin at once', /began two attempts/, ({ attempt }) => (attempt.otherId = 't')],
  ['another attempt is given again', /got another attempt/, ({ again }) => (again.sessionId = 't')],
  ['an answer is missing in it', /after 1 answers ann got 0/, ({ again }) => again.answered.pop()],
  ['a judgement is told otherwise', /told otherwise/, ({ again }) => (again.answered[0].isCorrect = false)],
  ['an answer is lost', /answered 2 times, the results have 1/, ({ summary }) => (summary.answered = 1)],
  ['an answer counts twice', /has 1 right answers, the results have 2/, ({ summary }) => (summary.correct = 2)],
  ['a person is missing', /0 entries of ann/, ({ person }) => (person.userId = 'ben')],
  ['a finished attempt is open', /not finished/, ({ summary }) => Object.assign(summary, { finishedAt: null })],
  ['an answer is refused', /answer 2 of 2 is refused/, ({ attempt }) => refuse(attempt.answers[1])],
]);
