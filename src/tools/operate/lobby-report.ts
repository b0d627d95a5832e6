// Collects everything that both stores know about a lobby.
import { readWholeLog } from '../../lobby/event-log.ts';
import { connectedUsers } from '../../lobby/presence.ts';
import type { Roster } from '../../lobby/schema.ts';
import { findByCode } from '../../lobby/store.ts';
import type { Clock } from '../../match/clock/clock.ts';
import type { Match } from '../../match/rules.ts';
import { readMatch } from '../../match/store.ts';
import type { Database } from '../../platform/postgres/postgres.ts';
import type { RedisClient } from '../../platform/redis/redis.ts';
import { type DeckOrList, storedWordsOf } from '../../vocabulary/words.ts';
import { timelineOf } from './timeline.ts';

/** The number of the best players that the line of a result names. */
const PLACES_SHOWN = 10;

export interface InspectDeps {
  db: Database;
  redis: RedisClient;
  clock: Clock;
  nowMs(): number;
}

/**
 * @param code a code from `parseCode`
 * @returns lines to print, or null when neither a lobby nor a result has the code
 */
export async function reportLobby(deps: InspectDeps, code: string): Promise<string[] | null> {
  const stored = await findByCode(deps.db, code);
  const results = await reportResults(deps.db, code);
  if (!stored) return results.length > 0 ? ['The lobby is deleted.', ...results] : null;
  const { roster, version } = stored;
  const [log, connected, match] = await Promise.all([
    readWholeLog(deps.redis, roster.lobbyId),
    connectedUsers(deps, roster.lobbyId),
    readMatch(deps.redis, roster.lobbyId),
  ]);
  return [
    ...describeLobby(roster, version, connected.size),
    ...(match ? await describeMatch(deps, match) : []),
    ...results,
    '',
    ...(log.length > 0 ? timelineOf(log) : ['Its log is empty.']),
  ];
}

function describeLobby(roster: Roster, version: number, connected: number): string[] {
  const { code, lobbyId, status, settings, players, capacity, createdAt } = roster;
  const { rounds, scoring } = settings;
  return [
    `Lobby ${code}, ${status}, version ${version}, id ${lobbyId}, created ${createdAt}`,
    `${players.length} of ${capacity} players, ${connected} connected`,
    `${rounds} × ${describeWords(storedWordsOf(settings))}, scored by ${scoring}`,
  ];
}

function describeWords(words: DeckOrList): string {
  if ('listId' in words) return `list ${words.listId}`;
  const { sourceLanguage, targetLanguage, pos, difficulty } = words;
  return `${sourceLanguage} → ${targetLanguage} ${pos} ${difficulty}`;
}

async function describeMatch({ clock, nowMs }: InspectDeps, match: Match): Promise<string[]> {
  const { gameId, round, totalRounds, status, players, answers, deadlineMs } = match;
  const job = await clock.find(gameId);
  const clockState = job ? await job.getState() : 'gone';
  const present = players.filter((player) => !player.left).length;
  const open =
    status === 'open'
      ? `, ${answers.size} of ${present} answered, ${((deadlineMs - nowMs()) / 1000).toFixed(1)} s left`
      : '';
  return [`Game ${gameId}, ${status}, round ${round} of ${totalRounds}${open}; its clock is ${clockState}`];
}

async function reportResults(db: Database, code: string): Promise<string[]> {
  const games = await db.game.findMany({
    where: { code },
    include: { scores: { orderBy: { position: 'asc' } } },
    orderBy: { finishedAt: 'asc' },
  });
  return games.map(({ id, finishedAt, scores, winnerIds }) => {
    const best = scores.slice(0, PLACES_SHOWN).map(({ userId, name, score, correct }) => {
      const star = winnerIds.includes(userId) ? '*' : '';
      return `${name}${star} ${score} (${correct} right)`;
    });
    const others = scores.length - best.length;
    const rest = others > 0 ? `, and ${others} others` : '';
    return `Result of ${id}, ${finishedAt.toISOString()}: ${best.join(', ')}${rest}`;
  });
}
