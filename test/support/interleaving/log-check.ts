// Reads a lobby's log event by event, and compares it and the state in Redis with the model. [contract 5.5,
// 5.7, 5.10, 16]
import { expect } from 'vitest';
import { parseRow, type StreamRow } from '../../../src/lobby/event-log.ts';
import { type LogEntry, ORIGIN } from '../../../src/lobby/history.ts';
import { lobbyKeys } from '../../../src/lobby/keys.ts';
import { findById, type StoredLobby } from '../../../src/lobby/store.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import type { Match } from '../../../src/match/rules.ts';
import { readMatch } from '../../../src/match/store.ts';
import type { ModelledLobby } from './lobby.ts';
import { INTERMISSION_MS, ROUND_MS } from './lobby.ts';

export interface LogChecker {
  /** Reads new events and asserts that the model allows them. */
  observe(): Promise<void>;
  /** @returns all events until now */
  events(): readonly LogEntry[];
}

export function createLogChecker(lobby: ModelledLobby): LogChecker {
  const { db, redis, lobbyId, model } = lobby;
  const events: LogEntry[] = [];
  let asked = 0;

  async function observe(): Promise<void> {
    const rows = await redis.xrange(lobbyKeys(lobbyId)[1], `(${events.length}-0`, '+');
    for (const row of rows as StreamRow[]) {
      const [id] = row;
      const entry = parseRow(row);
      // The numbers 1, 2, 3 … have no gap.
      expect([id, entry.seq]).toEqual([`${events.length + 1}-0`, events.length + 1]);
      // Each event has a unique mark, and names the mark of the previous event.
      expect(entry.mark).toMatch(/^[0-9a-f]{16}$/);
      expect(events.map(({ mark }) => mark)).not.toContain(entry.mark);
      expect(entry.previous).toBe(events.at(-1)?.mark ?? ORIGIN.mark);
      events.push(entry);
      await check(entry);
    }
    // A result and the next question are appended in one step.
    if (model.status() !== 'none') expect(asked).toBe(model.round());
    await compareState();
  }

  async function check({ type, ...entry }: LogEntry): Promise<void> {
    const { seq: _, mark: __, previous: ___, atMs: ____, by: _____, ...fields } = entry;
    if (type === 'game:question') await checkQuestion(fields);
    else if (type === 'game:answer_result') {
      expect(asked).toBe(model.round());
      const { nonce, nextAtMs, isLast, question: shown, ...result } = fields;
      expect(model.status()).toBe('open');
      const question = model.prepared()?.questions[model.round() - 1];
      expect(result).toEqual({ gameId: model.prepared()?.gameId, ...model.resolve() });
      expect(nonce).toBe(question?.nonce);
      const isPause = model.status() === 'intermission';
      expect(shown).toEqual(isPause ? question?.question : undefined);
      expect(isLast).toBe(model.isLast());
      const pauseMs = isPause ? INTERMISSION_MS : 0;
      expect(nextAtMs).toBe((entry.atMs as number) + pauseMs);
    } else if (type === 'game:finished') {
      // The final scores are stored before this event is sent.
      expect(await db.game.count({ where: { id: fields.gameId as string } })).toBe(1);
      expect(fields).toEqual({ gameId: model.prepared()?.gameId, ...model.finish() });
    } else expect(JSON.stringify(fields)).not.toContain('correct');
  }

  async function checkQuestion({ deadlineMs, ...fields }: Record<string, unknown>): Promise<void> {
    if (model.status() === 'none') await checkOpening(fields.gameId as string);
    if (model.status() === 'intermission') model.goOn();
    asked++;
    expect(model.status()).toBe('open');
    const prepared = model.prepared();
    expect(fields).toEqual({
      gameId: prepared?.gameId,
      round: asked,
      totalRounds: prepared?.questions.length,
      question: prepared?.questions[asked - 1]?.question,
      durationMs: ROUND_MS,
    });
    expect(deadlineMs).toBeTypeOf('number');
  }

  /**
   * The players are the members who were connected at the start or have connected since. [contract 5.1, 5.3]
   */
  async function checkOpening(gameId: string): Promise<void> {
    const { roster } = (await findById(db, lobbyId)) as StoredLobby;
    expect(roster).toMatchObject({ status: 'running', gameId });
    const prepared = lobby.preparedMatches.get(gameId) as PreparedMatch;
    const match = (await readMatch(redis, lobbyId)) as Match;
    const first = match.players.map(({ userId }) => userId);
    const members = roster.players.map(({ userId }) => userId);
    const preparedIds = prepared.playerIds;
    for (const userId of [...preparedIds, ...lobby.present]) {
      const isPlayer = !lobby.leaving.has(userId) && userId !== prepared.presenterId;
      if (isPlayer) expect(first).toContain(userId);
    }
    expect(first).not.toContain(prepared.presenterId);
    for (const userId of first) {
      if (!lobby.leaving.has(userId)) expect(members).toContain(userId);
      expect(lobby.gone).not.toContain(userId);
    }
    const inBoth = (userId: string) => first.includes(userId) && members.includes(userId);
    expect(first.filter(inBoth)).toEqual(members.filter(inBoth));
    model.open(prepared, match.players);
  }

  async function compareState(): Promise<void> {
    const match = await readMatch(redis, lobbyId);
    if (!match) {
      expect(model.status()).toBe('none');
      return;
    }
    // The end of the last intermission appends no event.
    if (model.status() === 'intermission' && match.status === 'finishing') model.goOn();
    const { status, round, complete, players, answers, totals } = match;
    expect({ status, round }).toEqual({ status: model.status(), round: model.round() });
    expect(players).toEqual(model.players().map(({ userId, name, left }) => ({ userId, name, left })));
    for (const { userId, score, correct } of model.players()) {
      expect(totals[userId] ?? { score: 0, correct: 0 }).toMatchObject({ score, correct });
    }
    if (status !== 'open' && status !== 'intermission') return;
    expect(complete).toBe(model.complete());
    if (status === 'intermission') return;
    const given = model.players().flatMap(({ userId, answer }) => (answer ? [[userId, answer.optionId]] : []));
    expect(new Map([...answers].map(([userId, given]) => [userId, 'optionId' in given && given.optionId]))).toEqual(
      new Map(given as [string, number][]),
    );
  }

  return { observe, events: () => events };
}
