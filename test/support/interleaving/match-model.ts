// A model of a game by the contract, small enough to be checked by reading. The real scripts and use cases
// are compared with it. [contract 5.1–5.7, 11]
import type { ErrorCode } from '../../../src/errors.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import type { JudgedAnswer, RoundEndReason, Score } from '../../../src/match/schema.ts';
import { ranked, winnersOf } from '../../../src/tools/prove/checker/games.ts';

interface ModelPlayer {
  userId: string;
  name: string;
  left: boolean;
  /** Whether the open round waits for the player's answer. */
  awaited: boolean;
  answer: { optionId: number; points: number } | null;
  score: number;
  correct: number;
  streak: number;
}

export type HostCommand = { do: 'next'; round: number; phase: 'round' | 'intermission' } | { do: 'end' };

/** The model measures time in tenths of a phase. */
export function createMatchModel() {
  const players: ModelPlayer[] = [];
  /** The idempotency token of each player's last stored answer, by user id. */
  const tokens = new Map<string, string>();
  let prepared: PreparedMatch | null = null;
  let status: 'none' | 'open' | 'intermission' | 'finishing' | 'finished' = 'none';
  let round = 0;
  let phase = 0;
  let tenths = 0;
  let isEnding = false;
  let isLast = false;
  let complete: 'all_answered' | 'player_left' | 'skipped' | null = null;

  const present = () => players.filter((player) => !player.left);
  const isOverdue = () => tenths >= 10;
  const isPhase = () => status === 'open' || status === 'intermission';
  const isLastRound = () => round >= (prepared?.questions.length ?? 0);
  const keyed = (of = round) => {
    const question = prepared?.questions[of - 1];
    if (!question) throw new Error(`The model has no round ${of}.`);
    return question;
  };

  function openPhase(opened: 'open' | 'intermission'): void {
    status = opened;
    phase++;
    tenths = 0;
    complete = null;
  }

  function openRound(): void {
    openPhase('open');
    round++;
    for (const player of players) {
      player.answer = null;
      player.awaited = !player.left;
    }
  }

  function newPlayer(userId: string, name: string): void {
    const awaited = status === 'open' && complete === null;
    const fresh = { left: false, awaited, answer: null, score: 0, correct: 0, streak: 0 };
    players.push({ userId, name, ...fresh });
  }

  function stopAwaiting(player: ModelPlayer, reason: 'all_answered' | 'player_left'): void {
    if (!player.awaited) return;
    player.awaited = false;
    if (!players.some(({ awaited }) => awaited)) endEarly(reason);
  }

  function pointsOf(optionId: number, { streak }: ModelPlayer): number {
    if (optionId !== correctOptionOf(keyed())) return 0;
    const scoring = prepared?.settings.scoring;
    if (scoring === 'accuracy') return 1;
    return 1000 - 50 * tenths + (scoring === 'streak' ? 100 * Math.min(streak, 5) : 0);
  }

  /** Notes why a phase ends early. After its deadline the timer is the reason. */
  function endEarly(reason: NonNullable<typeof complete>): void {
    if (!isOverdue()) complete ??= reason;
  }

  const scores = () => ranked(players.map(({ userId, name, score }) => ({ userId, name, score })));

  return {
    status: () => status,
    round: () => round,
    /** The number of the current round or intermission, from 1; it stays the last one while the game finishes. */
    phase: () => phase,
    /** Whether the last result was the game's last one. */
    isLast: () => isLast,
    prepared: () => prepared,
    complete: () => complete,
    players: (): readonly ModelPlayer[] => players,
    scores,

    find: (userId: string) => players.find((player) => player.userId === userId),

    open(opened: PreparedMatch, first: { userId: string; name: string }[]): void {
      if (status !== 'none') throw new Error('A game was opened twice.');
      prepared = opened;
      for (const { userId, name } of first) newPlayer(userId, name);
      openRound();
    },

    /** @returns the error code, or `stored` */
    answer(userId: string, questionId: string, optionId: number, token: string): ErrorCode | 'stored' {
      if (tokens.get(userId) === token) return 'stored';
      const player = present().find((candidate) => candidate.userId === userId);
      if (!player || status === 'none' || status === 'finished') return 'NOT_IN_GAME';
      const isOpen = status === 'open' && keyed().question.questionId === questionId;
      if (!isOpen || isOverdue()) return 'ROUND_CLOSED';
      if (player.answer) return player.answer.optionId === optionId ? 'stored' : 'ALREADY_ANSWERED';
      if (complete) return 'ROUND_CLOSED';
      player.answer = { optionId, points: pointsOf(optionId, player) };
      tokens.set(userId, token);
      stopAwaiting(player, 'all_answered');
      return 'stored';
    },

    /** @param reply what the real script said; only it knows whether a leaver's join came after the leave */
    enter(userId: string, name: string, reply?: unknown): 'entered' | 'known' | 'presents' | 'left' | 'over' {
      if (!isPhase()) return 'over';
      if (userId === prepared?.presenterId) return 'presents';
      const player = players.find((candidate) => candidate.userId === userId);
      if (!player) {
        newPlayer(userId, name);
        return 'entered';
      }
      if (!player.left) return 'known';
      if (reply !== 'entered' || !prepared?.settings.lateJoin) return 'left';
      player.left = false;
      player.awaited = status === 'open' && complete === null && !player.answer;
      return 'entered';
    },

    leave(userId: string): void {
      const player = present().find((candidate) => candidate.userId === userId);
      if (!player || status === 'finished') return;
      player.left = true;
      if (status === 'open') stopAwaiting(player, 'player_left');
      if (status === 'intermission' && present().length === 0) endEarly('player_left');
    },

    /** Applies a host's command. @returns its effect or the error code */
    command(said: HostCommand): 'due' | 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE' {
      if (status === 'none' || status === 'finished') return 'NOT_IN_GAME';
      if (said.do === 'end' && status === 'finishing') return 'NOT_IN_GAME';
      const isOver = !isPhase() || complete !== null || isOverdue();
      if (said.do === 'next') {
        const isMeant = status === (said.phase === 'round' ? 'open' : said.phase);
        if (isOver) return 'OVERDUE';
        if (!isMeant || said.round !== round) return 'ROUND_CLOSED';
      }
      if (said.do === 'end') isEnding = true;
      endEarly('skipped');
      return 'due';
    },

    pass(passed: number): void {
      if (isPhase()) tenths += passed;
    },

    /** Whether the phase can be ended now. */
    isDue: () => status === 'finishing' || (isPhase() && (complete !== null || isOverdue())),

    /** Ends the open round and begins the next phase. */
    resolve() {
      if (status !== 'open' || (!complete && !isOverdue())) throw new Error('No round was due.');
      const { question } = keyed();
      const correctOptionId = correctOptionOf(keyed());
      for (const player of players) count(player, correctOptionId);
      const answers = present().map((player) => judged(player, correctOptionId));
      const { questionId } = question;
      const reason: RoundEndReason = complete ?? 'timeout';
      const result = { round, questionId, correctOptionId, reason, answers, scores: scores() };
      const isCut = isEnding || present().length === 0;
      isLast = isCut || isLastRound();
      if (!isCut && (prepared?.settings.intermissionMs ?? 0) > 0) openPhase('intermission');
      else if (isLast) status = 'finishing';
      else openRound();
      return result;
    },

    goOn(): void {
      if (status !== 'intermission' || (!complete && !isOverdue())) throw new Error('Not due.');
      const isCut = isEnding || complete === 'player_left' || present().length === 0;
      if (isCut || isLastRound()) status = 'finishing';
      else openRound();
    },

    finish(): { scores: Score[]; winnerIds: string[] } {
      if (status !== 'finishing') throw new Error('The game was not to be finished.');
      status = 'finished';
      return { scores: scores(), winnerIds: winnersOf(scores()) };
    },
  };
}

/** The model plays with options. */
const correctOptionOf = (question: PreparedMatch['questions'][number]) =>
  'correctOptionId' in question ? question.correctOptionId : 0;

/** Adds the answer to the open round to what the player has reached. */
function count(player: ModelPlayer, correctOptionId: number): void {
  const isCorrect = player.answer?.optionId === correctOptionId;
  player.score += player.answer?.points ?? 0;
  player.correct += isCorrect ? 1 : 0;
  player.streak = isCorrect ? player.streak + 1 : 0;
}

const judged = ({ userId, answer }: ModelPlayer, correctOptionId: number): JudgedAnswer => ({
  userId,
  selectedOptionId: answer?.optionId ?? null,
  isCorrect: answer?.optionId === correctOptionId,
  points: answer?.points ?? 0,
});
