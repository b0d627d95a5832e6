// Running games in Redis; alone names their keys. The scripts guard, this file only speaks their
// language; what is decided is decided in rules.ts.
import { queueKeyBeside } from '../learning/keys.ts';
import { QUEUE_JUDGED } from '../learning/queue.ts';
import { APPEND_EVENT, eventBody, type LiveDeps, runAppending } from '../lobby/event-log.ts';
import { lobbyKeys, socketsKey } from '../lobby/keys.ts';
import type { StoredLobby } from '../lobby/store.ts';
import type { RedisClient } from '../platform/redis.ts';
import { loadScript, runScript } from '../platform/scripts.ts';
import { longestMs, type MatchPlan } from './plan.ts';
import type { Match, MatchQuestion, PhaseEnd } from './rules.ts';
import { learnedFrom, openQuestion, storedRound } from './rules.ts';
import type { GameSummary } from './schema.ts';
import { parseMatch } from './snapshot.ts';

const lua = (name: string) => new URL(`lua/${name}.lua`, import.meta.url);
const startScript = loadScript(APPEND_EVENT, lua('start-match'));
const answerScript = loadScript(lua('snapshot'), lua('store-answer'));
const enterScript = loadScript(lua('enter-match'));
const leaveScript = loadScript(lua('leave-match'));
const readScript = loadScript(lua('snapshot'), lua('read-match'));
const skipScript = loadScript(lua('skip-phase'));
const endScript = loadScript(APPEND_EVENT, QUEUE_JUDGED, lua('end-phase'));
const finishScript = loadScript(APPEND_EVENT, lua('finish-match'));

export function matchKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:match`;
}

/** The questions by round; nobody who asks how a game stands reads them all. */
function questionsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:questions`;
}

/** The judged rounds, kept until they are stored with the result. */
function roundsKey(lobbyId: string): string {
  return `lobby:{${lobbyId}}:rounds`;
}

function allKeys(lobbyId: string): string[] {
  return [...lobbyKeys(lobbyId), matchKey(lobbyId)];
}

/**
 * Opens the first round, unless it was opened already. Players are those of the plan who have not
 * left, and whoever of the members is connected by now.
 */
export async function start(deps: LiveDeps, plan: MatchPlan, lobby: StoredLobby): Promise<void> {
  const first = plan.questions[0] as MatchQuestion;
  const planned = plan.players.map(({ userId }) => userId);
  const fields = [
    ...['lobbyId', plan.lobbyId, 'code', plan.code, 'settings', JSON.stringify(plan.settings)],
    ...['totalRounds', plan.questions.length],
  ];
  await runAppending(
    deps.redis,
    startScript,
    [
      ...[...allKeys(plan.lobbyId), socketsKey(plan.lobbyId)],
      ...[questionsKey(plan.lobbyId), roundsKey(plan.lobbyId)],
    ],
    [
      ...[deps.lobbyTtlMs, plan.gameId, lobby.version, JSON.stringify(lobby.roster)],
      questionEvent(deps, { ...plan, totalRounds: plan.questions.length }, 1, first),
      ...[first.question.questionId, plan.durationMs, JSON.stringify(planned)],
      ...[plan.presenterId ?? '', JSON.stringify(plan.questions.map((q) => JSON.stringify(q)))],
      // Nobody writes the questions anew: they have to outlive the game.
      ...[deps.lobbyTtlMs + longestMs(plan), ...fields],
    ],
  );
}

/** The event without its deadline, which the script adds by the Redis server's clock. */
function questionEvent(
  deps: LiveDeps,
  game: Pick<Match, 'gameId' | 'totalRounds' | 'durationMs'>,
  round: number,
  { question }: MatchQuestion,
): string {
  const event = {
    type: 'game:question',
    gameId: game.gameId,
    round,
    totalRounds: game.totalRounds,
    question,
    durationMs: game.durationMs,
  };
  return eventBody(deps, event);
}

/** What a script needs that tells how a game stands. */
function snapshotKeys(lobbyId: string): string[] {
  return [matchKey(lobbyId), questionsKey(lobbyId)];
}

/** @returns the game of a lobby at this instant, or null when it has none. */
export async function read(redis: RedisClient, lobbyId: string): Promise<Match | null> {
  return parseMatch((await runScript(redis, readScript, snapshotKeys(lobbyId), [])) as string);
}

/** @returns the rounds that were judged so far, in their order: each a StoredRound's JSON */
export function readRounds(redis: RedisClient, lobbyId: string): Promise<string[]> {
  return redis.lrange(roundsKey(lobbyId), 0, -1);
}

/** How many have answered the open round, of those whom it waits for. [contract 11] */
export interface Progress {
  gameId: string;
  round: number;
  answered: number;
  awaited: number;
  /** Grows with every change; at the round's opening it was `openedVersion`. */
  version: number;
  openedVersion: number;
}

/** @returns null while no round is open, or it is over */
export async function readProgress(redis: RedisClient, lobbyId: string): Promise<Progress | null> {
  const [gameId, status, complete, ...rest] = await redis.hmget(
    matchKey(lobbyId),
    ...['gameId', 'status', 'complete', 'round', 'present', 'awaited', 'version', 'openedVersion'],
  );
  if (!gameId || status !== 'open' || complete) return null;
  const [round, present, open, version, openedVersion] = rest.map(Number) as number[];
  const awaited = present ?? 0;
  return {
    ...{ gameId, round: round ?? 0, answered: awaited - (open ?? 0), awaited },
    ...{ version: version ?? 0, openedVersion: openedVersion ?? 0 },
  };
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
    ...['gameId', 'status', 'deadlineMs', 'complete'],
  );
  if (!gameId) return null;
  return {
    gameId,
    status: status as Match['status'],
    deadlineMs: Number(deadlineMs),
    isComplete: Boolean(complete),
  };
}

type AnswerOutcome =
  | 'stored'
  | 'complete'
  | 'NOT_IN_GAME'
  | 'ROUND_CLOSED'
  | 'OVERDUE'
  | 'ALREADY_ANSWERED';

/**
 * @param answer.token different for every request, the same for its repetitions
 * @returns what came of it, and with `complete` the game as the answer has left it
 */
export async function storeAnswer(
  redis: RedisClient,
  lobbyId: string,
  answer: { questionId: string; userId: string; optionId: number; token: string },
): Promise<{ outcome: AnswerOutcome; match: Match | null }> {
  const { questionId, userId, optionId, token } = answer;
  const args = [questionId, userId, optionId, token];
  const reply = await runScript(redis, answerScript, snapshotKeys(lobbyId), args);
  if (!Array.isArray(reply)) return { outcome: reply as AnswerOutcome, match: null };
  const [outcome, snapshot] = reply as [AnswerOutcome, string];
  return { outcome, match: parseMatch(snapshot) };
}

/**
 * Lets a member into the running game, unless the member plays, presents, or has left since.
 * @param version that of the lobby of which the user was a member
 */
export async function enter(
  redis: RedisClient,
  lobbyId: string,
  player: { userId: string; name: string },
  version: number,
): Promise<EnterReply> {
  const args = [player.userId, player.name, version];
  return (await runScript(redis, enterScript, [matchKey(lobbyId)], args)) as EnterReply;
}

type EnterReply = 'entered' | 'known' | 'presents' | 'left' | 'over';

export type SkipReply = 'due' | 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE';

/** Notes that the host wants a phase, or the game, to be over. */
export async function skip(
  redis: RedisClient,
  lobbyId: string,
  command: { do: 'next'; round: number; phase: 'round' | 'intermission' } | { do: 'end' },
): Promise<SkipReply> {
  const args = command.do === 'next' ? ['next', command.round, command.phase] : ['end'];
  return (await runScript(redis, skipScript, [matchKey(lobbyId)], args)) as SkipReply;
}

/**
 * Takes a player out of the game.
 * @param version that of the lobby of which the user was no longer a member
 */
export async function leave(
  redis: RedisClient,
  lobbyId: string,
  userId: string,
  version: number,
): Promise<'left' | 'complete' | 'none'> {
  const reply = await runScript(redis, leaveScript, [matchKey(lobbyId)], [userId, version]);
  return reply as 'left' | 'complete' | 'none';
}

/** What came of ending a phase; the times count with `ended`. */
export interface Ended {
  outcome: 'ended' | 'stale' | 'early';
  /** How long after its deadline it ended. */
  lateMs: number;
  /** The deadline that now stands. */
  deadlineMs: number;
}

/** Ends the phase that `match` is a snapshot of. */
export async function end(deps: LiveDeps, match: Match, phase: PhaseEnd): Promise<Ended> {
  const { reason, judged, next } = phase;
  const round = judged && storedRound(match, phase);
  const learned = judged && learnedFrom(match, judged);
  const question = next.status === 'open' ? next.question : null;
  const keys = [
    ...allKeys(match.lobbyId),
    ...[roundsKey(match.lobbyId), queueKeyBeside(deps.redis, match.lobbyId)],
  ];
  const reply = await runAppending(deps.redis, endScript, keys, [
    ...[deps.lobbyTtlMs, match.version, reason, next.status],
    ...(judged ? [JSON.stringify(judged.tallies), resultEvent(deps, match, phase)] : ['', '']),
    ...[round ? JSON.stringify(round) : ''],
    ...[next.status === 'intermission' ? next.durationMs : 0],
    ...[question ? questionEvent(deps, match, match.round + 1, question) : ''],
    ...[question?.question.questionId ?? ''],
    ...[learned?.word ?? '', learned?.right ?? '', learned?.wrong ?? ''],
    ...(judged ? match.answers.keys() : []),
  ]);
  const [outcome, lateMs, deadlineMs] = reply as [Ended['outcome'], number, number];
  return { outcome, lateMs, deadlineMs };
}

/** The event without the time of what comes next, which the script adds. */
function resultEvent(deps: LiveDeps, match: Match, { reason, judged, isLast }: PhaseEnd) {
  const { question, correctOptionId, nonce } = openQuestion(match);
  const event = {
    type: 'game:answer_result',
    gameId: match.gameId,
    round: match.round,
    questionId: question.questionId,
    correctOptionId,
    nonce,
    reason,
    isLast,
    answers: judged?.answers,
    scores: judged?.scores,
  };
  return eventBody(deps, event);
}

/**
 * Announces the stored result.
 * @param lobby as it is stored now, or null when it is gone
 */
export async function finish(
  deps: LiveDeps,
  lobbyId: string,
  { gameId, scores, winnerIds }: GameSummary,
  lobby: StoredLobby | null,
): Promise<void> {
  const event = {
    type: 'game:finished',
    gameId,
    scores: scores.map(({ userId, name, score }) => ({ userId, name, score })),
    winnerIds,
  };
  await runAppending(deps.redis, finishScript, allKeys(lobbyId), [
    ...[deps.lobbyTtlMs, gameId, lobby?.version ?? 0],
    ...[lobby ? JSON.stringify(lobby.roster) : '', eventBody(deps, event)],
  ]);
}
