// A game as the contract tells it, small enough to be seen to be right: what the real scripts and
// use cases are compared with. [contract 5.1–5.7]
import type { ErrorCode } from '../../errors.ts';
import type { MatchPlan } from '../../match/plan.ts';
import type { JudgedAnswer, RoundEndReason, Score } from '../../match/schema.ts';

interface ModelPlayer {
  userId: string;
  name: string;
  left: boolean;
  /** Whether the open round waits for the player's answer. */
  awaited: boolean;
  answer: { optionId: number; points: number } | null;
  score: number;
  correct: number;
}

export interface ModelResult {
  round: number;
  questionId: string;
  correctOptionId: number;
  reason: RoundEndReason;
  answers: JudgedAnswer[];
  scores: Score[];
}

export type MatchModel = ReturnType<typeof createMatchModel>;

/** Time goes in tenths of a round. */
export function createMatchModel() {
  const players: ModelPlayer[] = [];
  /** Of each player the latest stored answer's. */
  const tokens = new Map<string, string>();
  let plan: MatchPlan | null = null;
  let status: 'none' | 'open' | 'finishing' | 'finished' = 'none';
  let round = 0;
  let tenths = 0;
  let complete: 'all_answered' | 'player_left' | null = null;

  const present = () => players.filter((player) => !player.left);
  const isOverdue = () => tenths >= 10;
  const keyed = (of = round) => {
    const question = plan?.questions[of - 1];
    if (!question) throw new Error(`The model has no round ${of}.`);
    return question;
  };

  function openRound(): void {
    round++;
    tenths = 0;
    complete = null;
    for (const player of players) {
      player.answer = null;
      player.awaited = !player.left;
    }
  }

  function newPlayer(userId: string, name: string): void {
    const fresh = { left: false, awaited: complete === null, answer: null, score: 0, correct: 0 };
    players.push({ userId, name, ...fresh });
  }

  function stopAwaiting(player: ModelPlayer, reason: 'all_answered' | 'player_left'): void {
    if (!player.awaited) return;
    player.awaited = false;
    const isWaiting = players.some(({ awaited }) => awaited);
    // After the bell it is the timer that ends the round.
    if (!isWaiting && !isOverdue()) complete ??= reason;
  }

  function pointsOf(optionId: number): number {
    if (optionId !== keyed().correctOptionId) return 0;
    return plan?.settings.scoring === 'speed' ? 1000 - 50 * tenths : 1;
  }

  const scores = (): Score[] =>
    players
      .map(({ userId, name, score }) => ({ userId, name, score }))
      .toSorted((a, b) => b.score - a.score);

  return {
    status: () => status,
    round: () => round,
    plan: () => plan,
    complete: () => complete,
    players: (): readonly ModelPlayer[] => players,
    scores,

    find: (userId: string) => players.find((player) => player.userId === userId),

    open(opened: MatchPlan, first: { userId: string; name: string }[]): void {
      if (status !== 'none') throw new Error('A game was opened twice.');
      plan = opened;
      status = 'open';
      for (const { userId, name } of first) newPlayer(userId, name);
      openRound();
    },

    /** @returns how the answer is refused, or `stored` */
    answer(
      userId: string,
      questionId: string,
      optionId: number,
      token: string,
    ): ErrorCode | 'stored' {
      if (tokens.get(userId) === token) return 'stored';
      const player = present().find((candidate) => candidate.userId === userId);
      if (!player || (status !== 'open' && status !== 'finishing')) return 'NOT_IN_GAME';
      const isOpen = status === 'open' && keyed().question.questionId === questionId;
      if (!isOpen || isOverdue()) return 'ROUND_CLOSED';
      if (player.answer) return 'ALREADY_ANSWERED';
      if (complete) return 'ROUND_CLOSED';
      player.answer = { optionId, points: pointsOf(optionId) };
      tokens.set(userId, token);
      stopAwaiting(player, 'all_answered');
      return 'stored';
    },

    enter(userId: string, name: string): 'entered' | 'known' | 'left' | 'over' {
      if (status !== 'open') return 'over';
      const player = players.find((candidate) => candidate.userId === userId);
      if (player) return player.left ? 'left' : 'known';
      newPlayer(userId, name);
      return 'entered';
    },

    leave(userId: string): void {
      const player = present().find((candidate) => candidate.userId === userId);
      if (!player || status === 'finished') return;
      player.left = true;
      stopAwaiting(player, 'player_left');
    },

    pass(passed: number): void {
      if (status === 'open') tenths += passed;
    },

    /** Whether anything remains to be done without waiting. */
    isDue: () =>
      status === 'finishing' || (status === 'open' && (complete !== null || isOverdue())),

    /** The end of the open round, and the opening of the next one. */
    resolve(): ModelResult {
      if (status !== 'open' || (!complete && !isOverdue())) throw new Error('No round was due.');
      const { question, correctOptionId } = keyed();
      const answers = present().map((player): JudgedAnswer => {
        const isCorrect = player.answer?.optionId === correctOptionId;
        const points = player.answer?.points ?? 0;
        player.score += points;
        player.correct += isCorrect ? 1 : 0;
        return {
          userId: player.userId,
          selectedOptionId: player.answer?.optionId ?? null,
          isCorrect,
          points,
        };
      });
      const { questionId } = question;
      const reason: RoundEndReason = complete ?? 'timeout';
      const result = { round, questionId, correctOptionId, reason, answers, scores: scores() };
      if (round < (plan?.questions.length ?? 0) && present().length > 0) openRound();
      else status = 'finishing';
      return result;
    },

    finish(): { scores: Score[]; winnerIds: string[] } {
      if (status !== 'finishing') throw new Error('The game was not to be finished.');
      status = 'finished';
      const final = scores();
      const best = final[0]?.score;
      const winnerIds = final.filter(({ score }) => score === best).map(({ userId }) => userId);
      return { scores: final, winnerIds };
    },
  };
}
