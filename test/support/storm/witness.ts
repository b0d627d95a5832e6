// Reads what a lobby's log says, event by event, and holds it and the state in Redis against the
// model. [contract 5.5, 5.7, 5.10, 16]
import { expect } from 'vitest';
import { type LogEntry, ORIGIN } from '../../../src/lobby/history.ts';
import { lobbyKeys } from '../../../src/lobby/keys.ts';
import { findById, type StoredLobby } from '../../../src/lobby/store.ts';
import type { MatchPlan } from '../../../src/match/plan.ts';
import type { Match } from '../../../src/match/rules.ts';
import { read } from '../../../src/match/store.ts';
import { readLive, render } from '../../../src/realtime/render.ts';
import type { StormLobby } from './lobby.ts';
import { INTERMISSION_MS, ROUND_MS } from './lobby.ts';

export interface Witness {
  /** Reads what is new; whatever has happened must be what the model allows. */
  observe(): Promise<void>;
  /** All events so far. */
  events(): readonly LogEntry[];
}

/** What is told of a round as it happens is what whoever reads the log then would be told. */
function expectToldAlike(text: string, entry: LogEntry): void {
  const { told } = readLive(text);
  if (!ROUND_EVENTS.has(entry.type)) expect(told).toBeUndefined();
  else expect(JSON.parse(told ?? '')).toEqual(render(entry, entry.atMs));
}
const ROUND_EVENTS = new Set(['game:question', 'game:answer_result']);

export function createWitness(lobby: StormLobby): Witness {
  const { db, redis, lobbyId, model } = lobby;
  const events: LogEntry[] = [];
  let asked = 0;

  async function observe(): Promise<void> {
    const rows = await redis.xrange(lobbyKeys(lobbyId)[1], `(${events.length}-0`, '+');
    for (const [id, fields] of rows as [string, string[]][]) {
      const entry = JSON.parse(fields[1] as string) as LogEntry;
      expectToldAlike(fields[1] as string, entry);
      // Numbered 1, 2, 3 … without a hole.
      expect([id, entry.seq]).toEqual([`${events.length + 1}-0`, events.length + 1]);
      // Each has a mark of its own, and names that of the one before.
      expect(entry.mark).toMatch(/^[0-9a-f]{16}$/);
      expect(events.map(({ mark }) => mark)).not.toContain(entry.mark);
      expect(entry.previous).toBe(events.at(-1)?.mark ?? ORIGIN.mark);
      events.push(entry);
      await check(entry);
    }
    // One step: after the result of a round the next question stands in the log already.
    if (model.status() !== 'none') expect(asked).toBe(model.round());
    await compareState();
  }

  async function check({ type, ...entry }: LogEntry): Promise<void> {
    const { seq: _, mark: __, previous: ___, atMs: ____, by: _____, ...fields } = entry;
    if (type === 'game:question') await checkQuestion(fields);
    else if (type === 'game:answer_result') {
      expect(asked).toBe(model.round());
      const { nonce, nextAtMs, isLast, ...told } = fields;
      expect(model.status()).toBe('open');
      const question = model.plan()?.questions[model.round() - 1];
      expect(told).toEqual({ gameId: model.plan()?.gameId, ...model.resolve() });
      expect(nonce).toBe(question?.nonce);
      expect(isLast).toBe(model.isLast());
      const pauseMs = model.status() === 'intermission' ? INTERMISSION_MS : 0;
      expect(nextAtMs).toBe((entry.atMs as number) + pauseMs);
    } else if (type === 'game:finished') {
      // The final scores are in the database before this is sent.
      expect(await db.game.count({ where: { id: fields.gameId as string } })).toBe(1);
      expect(fields).toEqual({ gameId: model.plan()?.gameId, ...model.finish() });
    } else expect(JSON.stringify(fields)).not.toContain('correct');
  }

  async function checkQuestion({ deadlineMs, ...fields }: Record<string, unknown>): Promise<void> {
    if (model.status() === 'none') await checkOpening(fields.gameId as string);
    if (model.status() === 'intermission') model.goOn();
    asked++;
    expect(model.status()).toBe('open');
    const plan = model.plan();
    expect(fields).toEqual({
      gameId: plan?.gameId,
      round: asked,
      totalRounds: plan?.questions.length,
      question: plan?.questions[asked - 1]?.question,
      durationMs: ROUND_MS,
    });
    expect(deadlineMs).toBeTypeOf('number');
  }

  /** Players are the members who were connected at the start or are by now. [contract 5.1, 5.3] */
  async function checkOpening(gameId: string): Promise<void> {
    const { roster } = (await findById(db, lobbyId)) as StoredLobby;
    expect(roster).toMatchObject({ status: 'running', gameId });
    const plan = lobby.plans.get(gameId) as MatchPlan;
    const match = (await read(redis, lobbyId)) as Match;
    const first = match.players.map(({ userId }) => userId);
    const members = roster.players.map(({ userId }) => userId);
    const planned = plan.players.map(({ userId }) => userId);
    for (const userId of [...planned, ...lobby.present]) {
      const isPlayer = !lobby.leaving.has(userId) && userId !== plan.presenterId;
      if (isPlayer) expect(first).toContain(userId);
    }
    expect(first).not.toContain(plan.presenterId);
    for (const userId of first) {
      if (!lobby.leaving.has(userId)) expect(members).toContain(userId);
      expect(lobby.gone).not.toContain(userId);
    }
    const inBoth = (userId: string) => first.includes(userId) && members.includes(userId);
    expect(first.filter(inBoth)).toEqual(members.filter(inBoth));
    model.open(plan, match.players);
  }

  async function compareState(): Promise<void> {
    const match = await read(redis, lobbyId);
    if (!match) {
      expect(model.status()).toBe('none');
      return;
    }
    // Nothing is said when the last intermission ends.
    if (model.status() === 'intermission' && match.status === 'finishing') model.goOn();
    const { status, round, complete, players, answers, tallies } = match;
    expect({ status, round }).toEqual({ status: model.status(), round: model.round() });
    expect(players).toEqual(
      model.players().map(({ userId, name, left }) => ({ userId, name, left })),
    );
    for (const { userId, score, correct } of model.players()) {
      expect(tallies[userId] ?? { score: 0, correct: 0 }).toMatchObject({ score, correct });
    }
    if (status !== 'open' && status !== 'intermission') return;
    expect(complete).toBe(model.complete());
    if (status === 'intermission') return;
    const given = model
      .players()
      .flatMap(({ userId, answer }) => (answer ? [[userId, answer.optionId]] : []));
    expect(new Map([...answers].map(([userId, { optionId }]) => [userId, optionId]))).toEqual(
      new Map(given as [string, number][]),
    );
  }

  return { observe, events: () => events };
}
