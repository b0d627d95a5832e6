// Formats the events of a lobby as lines of text, for operators and support. The log has only what clients were told,
// so that the answer to an open question can't appear. Pure.
import type { LogEntry } from '../../lobby/history.ts';
import type { Roster } from '../../lobby/schema.ts';
import type { AnswerCounts, JudgedAnswer, Score } from '../../match/schema.ts';

/** @returns a line for each event: number, mark, time, time since the previous event, content, and process */
export function timelineOf(entries: LogEntry[]): string[] {
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
