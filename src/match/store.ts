// Running games in Redis. The scripts refuse what is outdated; rules.ts decides everything else.
import type { LobbyServices, LobbyWriter } from '../lobby/event-log.ts';
import { LIVE_FIELDS, liveStateOf, loadAppendingScript, rosterArguments, runAppending } from '../lobby/event-log.ts';
import { gameKeys, lobbyKeys, matchKey, presenceKeys, roundsKey, snapshotKeys, socketsKey } from '../lobby/keys.ts';
import type { StoredLobby } from '../lobby/store.ts';
import type { RedisClient } from '../platform/redis/redis.ts';
import { chunksOf, loadScript, runScript } from '../platform/redis/scripts.ts';
import type { Services } from '../services.ts';
import type { SealedQuestion, TypedSolution } from '../vocabulary/rules.ts';
import { type Answer, answerOf } from '../vocabulary/schema.ts';
import { finishedEvent, questionEvent, resultEvent } from './events.ts';
import { longestMs, type PreparedMatch } from './prepared-match.ts';
import { judgementOf, recordsOf } from './round-record.ts';
import type { GivenAnswer, Match, MatchPlayer, PhaseEnd, PlayerTotals, StoredAnswer } from './rules.ts';
import { readMsOf } from './rules.ts';
import type { GameSummary } from './schema.ts';

/** What the use cases of a game need. A clock that runs can't be rescheduled or removed, so that its run has others. */
export type MatchServices = LobbyServices &
  Pick<Services, 'db' | 'logger' | 'nowMs'> & { clock: Pick<Services['clock'], 'reschedule' | 'remove'> };

const lua = (name: string) => new URL(`lua/${name}.lua`, import.meta.url);
const startScript = loadAppendingScript(lua('start-match'));
const answerScript = loadScript(lua('snapshot'), lua('present-players'), lua('store-answer'));
const enterScript = loadScript(lua('enter-match'));
const leaveScript = loadScript(lua('present-players'), lua('leave-match'));
const checkScript = loadScript(lua('present-players'), lua('check-round'));
const renewScript = loadScript(lua('renew-progress'));
const readScript = loadScript(lua('snapshot'), 'return snapshot(KEYS[1], KEYS[2])');
const shownScript = loadScript(lua('read-shown'));
const roundsScript = loadScript(lua('judged-rounds'), lua('read-rounds'));
const skipScript = loadScript(lua('skip-phase'));
const endScript = loadAppendingScript(lua('end-phase'), lua('judged-rounds'));
const finishScript = loadAppendingScript(lua('finish-match'));

/** Opens the first round, unless it was opened already: for the prepared players, and members who are connected now. */
export async function storeStart(deps: LobbyWriter, prepared: PreparedMatch, lobby: StoredLobby): Promise<void> {
  const { lobbyId, gameId, code, settings, questions, durationMs, playerIds, presenterId = '' } = prepared;
  const first = questions[0] as SealedQuestion;
  const totalRounds = questions.length;
  const [version, roster] = rosterArguments(lobby);
  const start = {
    gameId,
    presenterId,
    ttlMs: deps.lobbyTtlMs,
    version,
    roster,
    playerIds,
    question: questionEvent({ gameId, totalRounds, durationMs }, 1, first),
    questionId: first.question.questionId,
    questions: questions.map((each) => JSON.stringify(each)),
    // Only this script writes the questions, so that their time to live includes the longest game.
    questionsTtlMs: deps.lobbyTtlMs + longestMs(prepared),
    durationMs,
    readMs: readMsOf(settings, 1),
    fields: {
      lobbyId,
      code,
      settings: JSON.stringify(settings),
      totalRounds,
      compact: String(prepared.isCompact),
      answerMode: settings.answerMode,
      waitFor: settings.waitFor,
    },
  };
  const keys = [...gameKeys(lobbyId), socketsKey(lobbyId)];
  await runAppending(deps, startScript, keys, [JSON.stringify(start)]);
}

export async function readMatch(redis: RedisClient, lobbyId: string): Promise<Match | null> {
  return parseMatch((await runScript(redis, readScript, snapshotKeys(lobbyId), [])) as string);
}

export type ShownLobby = Awaited<ReturnType<typeof readShown>>;

export async function readShown(redis: RedisClient, lobbyId: string, userIds: string[]) {
  const keys = [lobbyKeys(lobbyId)[0], matchKey(lobbyId)];
  const request = JSON.stringify({ fields: LIVE_FIELDS, userIds });
  const reply = await runScript(redis, shownScript, keys, [request]);
  const [values, ...inTurns] = reply as [(string | null)[], ...string[]];
  /** What each receiver who plays has answered to the open question, by user id; null: nothing yet. [contract 23] */
  const given: ReadonlyMap<string, Answer | null> = new Map(
    chunksOf(inTurns, 2).map(([userId = '', answer]) => [userId, answer ? answerOf(JSON.parse(answer)) : null]),
  );
  return { ...liveStateOf(values), given };
}

/** @returns the judged rounds of a finishing game, each a RoundRecord as JSON. It no longer expires. */
export async function readRounds(redis: RedisClient, lobbyId: string): Promise<string[]> {
  const keys = [...snapshotKeys(lobbyId), roundsKey(lobbyId)];
  return recordsOf((await runScript(redis, roundsScript, keys, [])) as string[]);
}

/** How many of the awaited players have answered the open round. [contract 11, 25] */
export interface RoundProgress {
  gameId: string;
  round: number;
  answered: number;
  awaited: number;
  version: number;
  /** The version at which the round was opened. */
  openedVersion: number;
  /** The players who have not left, absent ones included. */
  players: number;
  /** In how many ms the round may be over, at the latest at its deadline. */
  dueInMs: number;
}

/** @returns null while no round is open; `complete` where this has ended it, since all present players have answered */
export async function checkRound(redis: RedisClient, lobbyId: string): Promise<RoundProgress | 'complete' | null> {
  const reply = await runScript(redis, checkScript, [matchKey(lobbyId), ...presenceKeys(lobbyId)], []);
  return reply === null ? null : JSON.parse(reply as string);
}

/** Makes every replica send the progress again to the sockets of the host who presents the open round. */
export function renewProgress(redis: RedisClient, lobbyId: string) {
  return runScript(redis, renewScript, [matchKey(lobbyId)], []);
}

/** The state of a lobby's game, without its contents. */
export type MatchHead = NonNullable<ReturnType<typeof headOf>>;

const HEAD_FIELDS = ['gameId', 'status', 'deadlineMs', 'complete', 'waitFor'];

export async function readHead(redis: RedisClient, lobbyId: string): Promise<MatchHead | null> {
  return headOf(await redis.hmget(matchKey(lobbyId), ...HEAD_FIELDS));
}

function headOf([gameId, status, deadlineMs, complete, waitFor = null]: (string | null)[]) {
  if (!gameId) return null;
  /** Whether the open phase can end before its deadline. */
  const isComplete = Boolean(complete);
  return { gameId, status: status as Match['status'], deadlineMs: Number(deadlineMs), isComplete, waitFor };
}

/** @returns a running game in which the user plays; null where Redis shows none, or has an older roster than this one */
export async function readHeadFor(redis: RedisClient, lobbyId: string, userId: string, leastVersion = 0) {
  const [[status, gameId, closed, version], [player, left, ...values]] = await Promise.all([
    redis.hmget(lobbyKeys(lobbyId)[0], 'status', 'gameId', 'closed', 'version'),
    redis.hmget(matchKey(lobbyId), `player:${userId}`, `left:${userId}`, ...HEAD_FIELDS),
  ]);
  const isRunning = status === 'running' && !closed && Number(version) >= leastVersion;
  const head = headOf(values);
  return isRunning && player && !left && head?.gameId === gameId ? head : null;
}

export type AnswerReply =
  | {
      outcome: 'stored' | 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE' | 'WRONG_KIND' | 'ALREADY_ANSWERED' | 'complete';
      /** With `complete`, a snapshot of the game that includes the answer. */
      match: Match | null;
    }
  /** A text without a verdict would be stored, and has to be compared with the accepted ones of its question. */
  | { outcome: 'NOT_COMPARED'; asked: SealedQuestion & TypedSolution; settings: Match['settings'] };

export interface AnswerRequest {
  questionId: string;
  userId: string;
  /** A text has no verdict until it is compared. */
  given: Answer | GivenAnswer;
  /** Identifies the request: ioredis repeats it after a broken connection, which is no second answer. */
  token: string;
}

export async function storeAnswer(redis: RedisClient, lobbyId: string, request: AnswerRequest): Promise<AnswerReply> {
  const keys = [...snapshotKeys(lobbyId), ...presenceKeys(lobbyId)];
  const reply = await runScript(redis, answerScript, keys, [JSON.stringify(request)]);
  if (!Array.isArray(reply)) return { outcome: reply, match: null } as AnswerReply;
  const [outcome, ...texts] = reply as [AnswerReply['outcome'], string, string];
  if (outcome !== 'NOT_COMPARED') return { outcome, match: parseMatch(texts[0]) };
  return { outcome, asked: JSON.parse(texts[0]), settings: JSON.parse(texts[1]) };
}

/** Adds a member to the running game, unless the member plays already, presents, or has left since that roster. */
export function storeEntry(redis: RedisClient, lobbyId: string, userId: string, name: string, version: number) {
  return runScript(redis, enterScript, [matchKey(lobbyId)], [userId, name, version]);
}

/** Ends the named phase, or the game, before its time. */
export type HostCommand = { type: 'game:next'; round: number; phase: 'round' | 'intermission' } | { type: 'game:end' };

export async function storeSkip(redis: RedisClient, lobbyId: string, command: HostCommand) {
  const args = command.type === 'game:next' ? ['next', command.round, command.phase] : ['end'];
  const reply = await runScript(redis, skipScript, [matchKey(lobbyId)], args);
  return reply as 'due' | 'NOT_IN_GAME' | 'ROUND_CLOSED' | 'OVERDUE';
}

/** Takes a player out of the game. @param version the version of the roster without the user */
export async function storeLeave(redis: RedisClient, lobbyId: string, userId: string, version: number) {
  const reply = await runScript(redis, leaveScript, [matchKey(lobbyId), ...presenceKeys(lobbyId)], [userId, version]);
  return reply as 'left' | 'complete' | 'none';
}

export type PhaseEndReply = Awaited<ReturnType<typeof storePhaseEnd>>;

/**
 * Ends the phase of which `match` is a snapshot.
 * @returns `stale` and times of 0 where the game has changed since; `lateMs` from the deadline to the end, negative
 *   when the phase ended before; and `dueInMs` from now to the new deadline
 */
export async function storePhaseEnd(deps: LobbyWriter, match: Match, phase: PhaseEnd) {
  const { reason, judged, next, endedAtMs } = phase;
  const judgement = judged && judgementOf(match, reason, judged.answers, endedAtMs);
  const question = next.status === 'open' ? next.question : null;
  const reply = await runAppending(deps, endScript, gameKeys(match.lobbyId), [
    deps.lobbyTtlMs,
    match.version,
    reason,
    next.status,
    ...(judged ? [JSON.stringify(judged.totals), resultEvent(match, phase)] : ['', '']),
    judgement ? JSON.stringify(judgement) : '',
    next.status === 'intermission' ? next.durationMs : 0,
    question ? questionEvent(match, match.round + 1, question) : '',
    question?.question.questionId ?? '',
    readMsOf(match.settings, match.round + 1),
    ...(judged ? match.answers.keys() : []),
  ]);
  const [outcome, lateMs, dueInMs, rounds] = reply as ['ended' | 'stale' | 'early', number, number, string[]];
  return { outcome, lateMs, dueInMs, rounds: recordsOf(rounds) };
}

/**
 * Announces the stored result.
 * @param lobby the lobby after the game, or its version alone, where the end of the game has made that version;
 *   null when the lobby was deleted
 * @returns `outdated` where nothing is announced, since other changes of the lobby have to be announced first
 */
export async function storeFinish(
  deps: LobbyWriter,
  { lobbyId, isCompact }: Pick<Match, 'lobbyId' | 'isCompact'>,
  result: Pick<GameSummary, 'gameId' | 'scores' | 'winnerIds'>,
  lobby: StoredLobby | number | null,
): Promise<'finished' | 'known' | 'outdated'> {
  const [version, roster] = typeof lobby === 'number' ? [lobby, ''] : lobby ? rosterArguments(lobby) : ['', ''];
  const { gameId } = result;
  const finish = { gameId, ttlMs: deps.lobbyTtlMs, version, roster, event: finishedEvent(result, isCompact) };
  const reply = await runAppending(deps, finishScript, gameKeys(lobbyId), [JSON.stringify(finish)]);
  return reply as 'finished' | 'known' | 'outdated';
}

/** @returns null where there is no game: cjson then writes no list, but an object */
function parseMatch(snapshot: string): Match | null {
  const [fieldsAndValues, question, nextQuestion] = JSON.parse(snapshot) as [string[], string, string];
  const { fields, players, answers } = sortFields(fieldsAndValues);
  if (!fields.gameId) return null;
  const text = (name: string) => fields[name] ?? '';
  const parse = (json: string) => (json ? (JSON.parse(json) as SealedQuestion) : null);
  return {
    lobbyId: text('lobbyId'),
    gameId: text('gameId'),
    code: text('code'),
    settings: JSON.parse(text('settings')),
    status: text('status') as Match['status'],
    round: Number(fields.round),
    totalRounds: Number(fields.totalRounds),
    question: parse(question),
    nextQuestion: parse(nextQuestion),
    isEnding: fields.ending !== undefined,
    presenterId: fields.presenter ?? null,
    isCompact: fields.compact === 'true',
    durationMs: Number(fields.durationMs),
    startedAtMs: Number(fields.startedAtMs),
    openedAtMs: Number(fields.openedAtMs),
    deadlineMs: Number(fields.deadlineMs),
    finishedAtMs: Number(fields.finishedAtMs ?? 0),
    version: Number(fields.version),
    complete: (fields.complete || null) as Match['complete'],
    players,
    answers,
    totals: JSON.parse(text('totals')) as Record<string, PlayerTotals>,
  };
}

/**
 * Separates the fields of single users, which are most of a large game, from the others in one pass. `player:<user>`
 * and `answer:<user>` are JSON, `left:<user>` a version of the roster, and `token:<user>` the request of the last answer.
 */
function sortFields(fieldsAndValues: readonly string[]) {
  const fields: Record<string, string> = {};
  const entered: { place: number; userId: string; name: string }[] = [];
  const left = new Set<string>();
  const answers = new Map<string, StoredAnswer>();
  for (let at = 0; at < fieldsAndValues.length; at += 2) {
    const [name, value] = [fieldsAndValues[at] as string, fieldsAndValues[at + 1] as string];
    const colon = name.indexOf(':');
    const userId = name.slice(colon + 1);
    if (colon < 0) fields[name] = value;
    else if (name.startsWith('player:')) entered.push({ ...JSON.parse(value), userId });
    else if (name.startsWith('left:')) left.add(userId);
    else if (name.startsWith('answer:')) answers.set(userId, JSON.parse(value) as StoredAnswer);
  }
  const players = entered
    .sort((a, b) => a.place - b.place)
    .map(({ userId, name }): MatchPlayer => ({ userId, name, left: left.has(userId) }));
  return { fields, players, answers };
}
