// Collects everything that both stores know about a lobby.
import { readWholeLog } from '../../lobby/event-log.ts';
import type { LogEntry } from '../../lobby/history.ts';
import { connectedUsers } from '../../lobby/presence.ts';
import type { Roster } from '../../lobby/schema.ts';
import { findById, findEntrance } from '../../lobby/store.ts';
import type { Match } from '../../match/rules.ts';
import type { AnswerCounts, JudgedAnswer, Score } from '../../match/schema.ts';
import { readMatch } from '../../match/store.ts';
import type { Database, Postgres } from '../../platform/postgres/postgres.ts';
import type { Services } from '../../services.ts';
import { type DeckOrList, storedWordsOf } from '../../vocabulary/words.ts';

/** The number of the best players that the line of a result names. */
const PLACES_SHOWN = 10;

/**
 * @param code a code from `parseCode`
 * @returns lines to print, or null when neither a lobby nor a result has the code
 */
export async function reportLobby(
  deps: Pick<Services, 'clock' | 'db' | 'nowMs' | 'redis'> & { postgres: Postgres },
  code: string,
): Promise<string[] | null> {
  const found = await findEntrance(deps.db, code);
  const stored = found && (await findById(deps.postgres, found.lobbyId));
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

async function describeMatch({ clock, nowMs }: Pick<Services, 'clock' | 'nowMs'>, match: Match): Promise<string[]> {
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

/** @returns a line for each event: number, mark, time, time since the previous event, content, and process */
function timelineOf(entries: LogEntry[]): string[] {
  let deadlineMs = 0;
  return entries.map((entry, index) => {
    const before = entries[index - 1];
    const columns = [
      String(entry.seq).padStart(5),
      entry.mark.padEnd(16),
      new Date(entry.atMs).toISOString().slice(11, 23),
      (before ? `+${entry.atMs - before.atMs} ms` : '').padStart(12),
      String(entry.type).padEnd(18),
      describe(entry, deadlineMs).padEnd(60),
      String(entry.by ?? ''),
    ];
    if (entry.type === 'game:question') deadlineMs = entry.deadlineMs as number;
    return columns.join('  ').trimEnd();
  });
}

function describe(entry: LogEntry, deadlineMs: number): string {
  switch (entry.type) {
    case 'lobby:state':
      return entry.connected
        ? describePlayers(entry.lobby as Roster, entry.connected as string[])
        : `${entry.connectedCount} of ${entry.playerCount} players connected`;
    case 'lobby:closed':
      return String(entry.reason);
    case 'game:question': {
      const { prompt } = entry.question as { prompt: string };
      const until = new Date(entry.deadlineMs as number).toISOString().slice(11, 23);
      return `${entry.round} of ${entry.totalRounds} “${prompt}”, until ${until}`;
    }
    case 'game:answer_result':
      return `${entry.round} ${entry.reason}${lateness(entry, deadlineMs)}, ${countRight(entry)}`;
    case 'game:finished':
      return (entry.scores as Score[]).map(({ name, score }) => `${name} ${score}`).join(', ');
    default:
      return '';
  }
}

/** Connected players, with a star for the host; the others in brackets. */
function describePlayers({ players }: Roster, connected: string[]): string {
  return players
    .map(({ userId, name, isHost }) => ({ label: `${name}${isHost ? '*' : ''}`, userId }))
    .map(({ label, userId }) => (connected.includes(userId) ? label : `(${label})`))
    .join(', ');
}

/** Only the timer can be late; everything else ends a round before its deadline. */
function lateness({ atMs, reason }: LogEntry, deadlineMs: number): string {
  return reason === 'timeout' && deadlineMs > 0 ? ` ${atMs - deadlineMs} ms late` : '';
}

function countRight(entry: LogEntry): string {
  if (entry.counts) {
    const { options, none, correct } = entry.counts as AnswerCounts;
    const given = options?.reduce((sum, count) => sum + count, 0);
    const answered = given === undefined ? `${none} silent` : `${given} of ${given + none} answered`;
    return `${answered}, ${correct} right`;
  }
  const answers = entry.answers as JudgedAnswer[];
  const right = answers.filter((answer) => answer.isCorrect).length;
  const given = answers.filter(
    ({ selectedOptionId, verdict }) => (selectedOptionId ?? verdict ?? null) !== null,
  ).length;
  return `${given} of ${answers.length} answered, ${right} right`;
}
