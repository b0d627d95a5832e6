// Running games in Redis; alone names their keys. The scripts guard, this file only speaks their
// language; what is decided is decided in rules.ts.
import { APPEND_EVENT, type LiveDeps, runAppending } from '../lobby/event-log.ts';
import { lobbyKeys, socketsKey } from '../lobby/keys.ts';
import type { StoredLobby } from '../lobby/store.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import type { KeyedQuestion } from '../vocabulary/rules.ts';
import type { MatchPlan } from './plan.ts';
import type { JudgedRound, Match, Player, StoredAnswer, Tally } from './rules.ts';
import { openQuestion } from './rules.ts';
import type { GameResult, RoundEndReason } from './schema.ts';

const lua = (name: string) => new URL(`lua/${name}.lua`, import.meta.url);
const startScript = loadScript(APPEND_EVENT, lua('start-match'));
const answerScript = loadScript(lua('store-answer'));
const enterScript = loadScript(lua('enter-match'));
const leaveScript = loadScript(lua('leave-match'));
const advanceScript = loadScript(APPEND_EVENT, lua('advance-round'));
const finishScript = loadScript(APPEND_EVENT, lua('finish-match'));

export function matchKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:match`;
}

function allKeys(lobbyId: string): string[] {
  return [...lobbyKeys(lobbyId), matchKey(lobbyId)];
}

/**
 * Opens the first round, unless it was opened already. Players are those of the plan who have not
 * left, and whoever of the members is connected by now.
 */
export async function start(deps: LiveDeps, plan: MatchPlan, lobby: StoredLobby): Promise<void> {
  const first = plan.questions[0] as KeyedQuestion;
  const planned = plan.players.map(({ userId }) => userId);
  const fields = [
    ...['lobbyId', plan.lobbyId, 'code', plan.code, 'settings', JSON.stringify(plan.settings)],
    ...['questions', JSON.stringify(plan.questions)],
  ];
  await runAppending(
    deps.redis,
    startScript,
    [...allKeys(plan.lobbyId), socketsKey(plan.lobbyId)],
    [
      ...[deps.lobbyTtlMs, plan.gameId, lobby.version, JSON.stringify(lobby.roster)],
      questionEvent(deps, plan, 1, first),
      ...[first.question.questionId, plan.durationMs, JSON.stringify(planned)],
      ...fields,
    ],
  );
}

/** The event without its deadline, which the script adds by the Redis server's clock. */
function questionEvent(
  { processName }: LiveDeps,
  game: Pick<Match, 'gameId' | 'questions' | 'durationMs'>,
  round: number,
  { question }: KeyedQuestion,
): string {
  return JSON.stringify({
    by: processName,
    type: 'game:question',
    gameId: game.gameId,
    round,
    totalRounds: game.questions.length,
    question,
    durationMs: game.durationMs,
  });
}

/** @returns the game of a lobby at this instant, or null when it has none. */
export async function read(redis: RedisClient, lobbyId: string): Promise<Match | null> {
  const fields = await redis.hgetall(matchKey(lobbyId));
  return fields.gameId ? parseMatch(fields) : null;
}

function parseMatch(fields: Record<string, string>): Match {
  const text = (name: string) => fields[name] ?? '';
  return {
    lobbyId: text('lobbyId'),
    gameId: text('gameId'),
    code: text('code'),
    settings: JSON.parse(text('settings')),
    status: text('status') as Match['status'],
    round: Number(fields.round),
    questions: JSON.parse(text('questions')) as KeyedQuestion[],
    durationMs: Number(fields.durationMs),
    startedAtMs: Number(fields.startedAtMs),
    openedAtMs: Number(fields.openedAtMs),
    deadlineMs: Number(fields.deadlineMs),
    finishedAtMs: Number(fields.finishedAtMs ?? 0),
    version: Number(fields.version),
    complete: (fields.complete || null) as Match['complete'],
    players: playersOf(fields),
    answers: answersOf(fields),
    tallies: JSON.parse(text('tallies')) as Record<string, Tally>,
  };
}

/** The fields `player:<user>` hold `<place> <name>`. */
function playersOf(fields: Record<string, string>): Player[] {
  return Object.entries(fields)
    .filter(([field]) => field.startsWith('player:'))
    .map(([field, value]) => {
      const userId = field.slice('player:'.length);
      const space = value.indexOf(' ');
      const player = {
        userId,
        name: value.slice(space + 1),
        left: fields[`left:${userId}`] !== undefined,
      };
      return { place: Number(value.slice(0, space)), player };
    })
    .toSorted((a, b) => a.place - b.place)
    .map(({ player }) => player);
}

/** The fields `answer:<user>` hold `<option> <elapsed ms>`. */
function answersOf(fields: Record<string, string>): Map<string, StoredAnswer> {
  const answers = new Map<string, StoredAnswer>();
  for (const [field, value] of Object.entries(fields)) {
    if (!field.startsWith('answer:')) continue;
    const [optionId, elapsedMs] = value.split(' ').map(Number);
    answers.set(field.slice('answer:'.length), {
      optionId: optionId as number,
      elapsedMs: elapsedMs as number,
    });
  }
  return answers;
}

/** How a lobby's game stands, without its contents. */
export interface MatchHead {
  gameId: string;
  status: Match['status'];
  deadlineMs: number;
  /** Nobody is waited for: the round can be resolved. */
  isComplete: boolean;
}

/** @returns the little that tells whether a game needs attention, or null when there is none. */
export async function readHead(redis: RedisClient, lobbyId: string): Promise<MatchHead | null> {
  const [gameId, status, deadlineMs, complete] = await redis.hmget(
    matchKey(lobbyId),
    'gameId',
    'status',
    'deadlineMs',
    'complete',
  );
  if (!gameId) return null;
  return {
    gameId,
    status: status as Match['status'],
    deadlineMs: Number(deadlineMs),
    isComplete: Boolean(complete),
  };
}

export type AnswerReply =
  | 'stored'
  | 'complete'
  | 'NOT_IN_GAME'
  | 'ROUND_CLOSED'
  | 'OVERDUE'
  | 'ALREADY_ANSWERED';

/** @param answer.token different for every request, the same for its repetitions */
export async function storeAnswer(
  redis: RedisClient,
  lobbyId: string,
  answer: { questionId: string; userId: string; optionId: number; token: string },
): Promise<AnswerReply> {
  const { questionId, userId, optionId, token } = answer;
  const args = [questionId, userId, optionId, token];
  return (await runScript(redis, answerScript, [matchKey(lobbyId)], args)) as AnswerReply;
}

/** Lets a member into the running game, unless the member plays, or has left. */
export async function enter(
  redis: RedisClient,
  lobbyId: string,
  player: { userId: string; name: string },
): Promise<'entered' | 'known' | 'left' | 'over'> {
  const args = [player.userId, player.name];
  const reply = await runScript(redis, enterScript, [matchKey(lobbyId)], args);
  return reply as 'entered' | 'known' | 'left' | 'over';
}

/** Takes a player out of the game. */
export async function leave(
  redis: RedisClient,
  lobbyId: string,
  userId: string,
): Promise<'left' | 'complete' | 'none'> {
  const reply = await runScript(redis, leaveScript, [matchKey(lobbyId)], [userId]);
  return reply as 'left' | 'complete' | 'none';
}

/**
 * Ends the round that `match` is a snapshot of.
 * @returns how late it ended, in ms after its deadline, with `advanced`
 */
export async function advance(
  deps: LiveDeps,
  match: Match,
  reason: RoundEndReason,
  judged: JudgedRound,
): Promise<{ outcome: 'advanced' | 'stale' | 'early'; lateMs: number }> {
  const { question, correctOptionId } = openQuestion(match);
  const result = {
    by: deps.processName,
    type: 'game:answer_result',
    gameId: match.gameId,
    round: match.round,
    questionId: question.questionId,
    correctOptionId,
    reason,
    answers: judged.answers,
    scores: judged.scores,
  };
  const { next } = judged;
  const reply = await runAppending(deps.redis, advanceScript, allKeys(match.lobbyId), [
    ...[deps.lobbyTtlMs, match.version, reason],
    ...[JSON.stringify(judged.tallies), JSON.stringify(result)],
    ...[next ? questionEvent(deps, match, match.round + 1, next) : ''],
    ...[next?.question.questionId ?? ''],
  ]);
  const [outcome, lateMs] = reply as ['advanced' | 'stale' | 'early', number];
  return { outcome, lateMs };
}

/**
 * Announces the stored result.
 * @param lobby as it is stored now, or null when it is gone
 */
export async function finish(
  deps: LiveDeps,
  lobbyId: string,
  { gameId, scores, winnerIds }: GameResult,
  lobby: StoredLobby | null,
): Promise<void> {
  const event = {
    by: deps.processName,
    type: 'game:finished',
    gameId,
    scores: scores.map(({ userId, name, score }) => ({ userId, name, score })),
    winnerIds,
  };
  await runAppending(deps.redis, finishScript, allKeys(lobbyId), [
    ...[deps.lobbyTtlMs, gameId, lobby?.version ?? 0],
    ...[lobby ? JSON.stringify(lobby.roster) : '', JSON.stringify(event)],
  ]);
}
