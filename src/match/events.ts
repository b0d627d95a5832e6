// The events of a game as JSON, which the scripts append to the lobby's log. The scripts add the times, since only the
// Redis server's clock counts. In a compact lobby, `parts` has what each player alone gets as `you`. [contract 5, 19]
import type { SealedQuestion } from '../vocabulary/rules.ts';
import { type JudgedRound, type Match, openQuestion, type PhaseEnd, revealed } from './rules.ts';
import { type GameSummary, type JudgedAnswer, type Score, TOP_PLACES } from './schema.ts';

/** @returns `game:question` without `deadlineMs` */
export function questionEvent(
  { gameId, totalRounds, durationMs }: Pick<Match, 'gameId' | 'totalRounds' | 'durationMs'>,
  round: number,
  { question }: SealedQuestion,
): string {
  const game = { gameId, round, totalRounds, question, durationMs };
  return JSON.stringify({ type: 'game:question', ...game });
}

/** @returns `game:answer_result` without `nextAtMs`; only snapshots show its `question` */
export function resultEvent(match: Match, { reason, judged, isLast, next }: PhaseEnd): string {
  const sealed = openQuestion(match);
  const { question } = sealed;
  const result = {
    gameId: match.gameId,
    round: match.round,
    questionId: question.questionId,
    ...revealed(sealed),
    reason,
    isLast,
    ...(next.status === 'intermission' && { question }),
    ...(judged && match.isCompact
      ? summarizeRound(judged, question.options?.length)
      : { answers: judged?.answers, scores: judged?.scores }),
  };
  return JSON.stringify({ type: 'game:answer_result', ...result });
}

export function finishedEvent(result: Pick<GameSummary, 'gameId' | 'scores' | 'winnerIds'>, isCompact: boolean) {
  const { gameId, scores, winnerIds } = result;
  const ended = isCompact ? summarizeGame(result) : { scores, winnerIds };
  const listed = ended.scores.map(({ userId, name, score }) => ({ userId, name, score }));
  return JSON.stringify({ type: 'game:finished', gameId, ...ended, scores: listed });
}

/**
 * A compact lobby gets counts, the ten best and each player's own part instead of all answers and scores. [contract 19]
 * @param options the number of options of the question; none where answers are typed
 */
function summarizeRound({ answers, scores }: JudgedRound, options: number | undefined) {
  const places = new Map(ranked(scores).map(({ userId, score, rank }) => [userId, { score, rank }]));
  const own = answers.map(({ userId, ...answer }) => [userId, { ...answer, ...places.get(userId) }]);
  const verdicts = options === undefined && { verdicts: countVerdicts(answers) };
  return {
    counts: countAnswers(answers, options),
    ...verdicts,
    scores: scores.slice(0, TOP_PLACES),
    parts: Object.fromEntries(own),
  };
}

function countAnswers(answers: readonly JudgedAnswer[], options: number | undefined) {
  const chosen = new Array<number>(options ?? 0).fill(0);
  const counts = { ...(options !== undefined && { options: chosen }), none: 0, correct: 0 };
  for (const { selectedOptionId: selected, verdict, isCorrect } of answers) {
    if ((selected ?? verdict ?? null) === null) counts.none++;
    else if (typeof selected === 'number') chosen[selected] = (chosen[selected] ?? 0) + 1;
    if (isCorrect) counts.correct++;
  }
  return counts;
}

function countVerdicts(answers: readonly JudgedAnswer[]) {
  const counts = { right: 0, close: 0, wrong: 0 };
  for (const { verdict } of answers) if (verdict) counts[verdict]++;
  return counts;
}

function summarizeGame({ scores, winnerIds }: Pick<GameSummary, 'scores' | 'winnerIds'>) {
  const own = ranked(scores).map(({ userId, score, correct, rank }) => [userId, { score, correct, rank }]);
  return {
    scores: scores.slice(0, TOP_PLACES),
    winnerIds: winnerIds.slice(0, TOP_PLACES),
    winnerCount: winnerIds.length,
    parts: Object.fromEntries(own),
  };
}

/** @param scores the highest first; equal ones share a rank */
function ranked<Ranked extends Score>(scores: readonly Ranked[]): (Ranked & { rank: number })[] {
  let rank = 1;
  return scores.map((score, index) => {
    if (score.score !== scores[index - 1]?.score) rank = index + 1;
    return { ...score, rank };
  });
}
