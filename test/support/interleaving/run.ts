// Runs one game by processes that interleave, crash, and lose their stores between any two commands, while a model of
// the contract follows. After every command both must agree; afterwards the remaining processes finish the game.
import { expect } from 'vitest';
import { parseEntry } from '../../../src/lobby/event-log.ts';
import { type LogEntry, ORIGIN } from '../../../src/lobby/history.ts';
import { lobbyKeys } from '../../../src/lobby/keys.ts';
import { findById, type StoredLobby } from '../../../src/lobby/store.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import type { Match } from '../../../src/match/rules.ts';
import type { JudgedAnswer } from '../../../src/match/schema.ts';
import { readMatch } from '../../../src/match/store.ts';
import { type CommandFault, type Process, startProcess } from './gated-process.ts';
import {
  createModelledLobby,
  type GameSettings,
  INTERMISSION_MS,
  type InterleavingDeps,
  type ModelledLobby,
  ROUND_MS,
} from './lobby.ts';
import { createTask, type GatedTask, type TaskSpec } from './tasks.ts';

function createLogChecker(lobby: ModelledLobby) {
  const { db, postgres, redis, lobbyId, model } = lobby;
  const events: LogEntry[] = [];
  let asked = 0;

  /** Reads new events and asserts that the model allows them. */
  async function observe(): Promise<void> {
    const rows = await redis.xrange(lobbyKeys(lobbyId)[1], `(${events.length}-0`, '+');
    for (const [id, [, text = '']] of rows) {
      const entry = parseEntry(text);
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

  /** The players are the members who were connected at the start or have connected since. [contract 5.1, 5.3] */
  async function checkOpening(gameId: string): Promise<void> {
    const { roster } = (await findById(postgres, lobbyId)) as StoredLobby;
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
    const stored = [...answers].map(([userId, one]) => [userId, 'optionId' in one && one.optionId]);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(given));
  }

  return { observe, events };
}

/** The number of further starts: a sweep resets a lobby whose start has crashed, so that only the next one succeeds. */
const STARTS_AT_LAST = 3;

/** One step of an interleaving. `which` selects one of the running processes. */
export type Move =
  | { move: 'begin'; spec: TaskSpec; hasFastClock: boolean }
  | { move: 'step'; which: number; fault: CommandFault }
  | { move: 'run'; which: number }
  | { move: 'pass'; tenths: number }
  | { move: 'outage' };

const MAX_PROCESSES = 4;

/** The number of commands after which a process counts as an endless loop. */
const MAX_STEPS = 300;

/** The number of turns to finish a game: one for each phase, one for each clock of a start that lost, and some more. */
const MAX_TURNS = 40;

interface Running {
  name: string;
  task: GatedTask;
  process: Process;
}

/** @throws Error with the trace of all commands if the game differs from the model */
export async function runInterleaving(deps: InterleavingDeps, settings: GameSettings, moves: Move[]): Promise<void> {
  const lobby = await createModelledLobby(deps, settings);
  const { db, redis, lobbyId, model, clocks, sent, gone } = lobby;
  const logChecker = createLogChecker(lobby);
  const alive: Running[] = [];
  const trace: string[] = [];
  let isDatabaseAway = false;
  let processes = 0;

  async function begin(spec: TaskSpec, hasFastClock = false): Promise<Running | null> {
    const mover = 'player' in spec && spec.do !== 'answer' ? lobby.users[spec.player]?.id : null;
    if (mover && alive.some(({ task }) => task.userId === mover)) return null;
    const task = createTask(lobby, spec, hasFastClock);
    if (!task) return null;
    const name = `${++processes}:${Object.values(spec).join(' ')}`;
    const running = { name, task, process: await startProcess(task.body) };
    alive.push(running);
    return running;
  }

  async function step(running: Running, asked: CommandFault = 'none'): Promise<void> {
    const { name, task, process } = running;
    const command = process.next() ?? '';
    const fault = faultOf(command, asked);
    const { reply } = await process.step(fault);
    trace.push(`${name} – ${command} – ${fault} – ${JSON.stringify(reply)?.slice(0, 60)}`);
    const [, call = '', script = ''] = command.split(' ');
    if (call.startsWith('eval')) {
      if (reply !== undefined) task.effect?.(script, reply);
      await logChecker.observe();
    }
    if (process.next() === null) end(running);
  }

  function faultOf(command: string, asked: CommandFault): CommandFault {
    if (command.startsWith('redis')) return asked;
    if (isDatabaseAway && command.startsWith('sql') && asked !== 'died before') return 'refused';
    // The Redis client sends a command again when the connection broke; PostgreSQL's client does not.
    return asked === 'resent' ? 'none' : asked;
  }

  function end(running: Running): void {
    const { task, process } = running;
    alive.splice(alive.indexOf(running), 1);
    const outcome = process.outcome();
    if (!outcome) return;
    task.ended(outcome, !process.isDisturbed());
    if (process.isDisturbed()) return;
    // A process that has seen or made a phase due has to resolve it unless it met a fault.
    const isLeftUndone = task.duePhase?.() === model.phase() && model.isDue();
    expect(isLeftUndone, `${running.name} left a phase undone`).toBe(false);
  }

  async function run(running: Running): Promise<void> {
    for (let steps = 0; alive.includes(running); steps++) {
      if (steps === MAX_STEPS) throw new Error(`${running.name} does not end.`);
      await step(running);
    }
  }

  async function runNew(spec: TaskSpec): Promise<void> {
    const running = await begin(spec);
    if (running) await run(running);
  }

  /** Makes time pass by moving the match's times in Redis back. */
  async function pass(tenths: number): Promise<void> {
    const phaseMs = { open: ROUND_MS, intermission: INTERMISSION_MS }[model.status() as 'open'];
    if (!phaseMs) return;
    trace.push(`${tenths} tenths of a phase pass`);
    const shiftMs = -tenths * (phaseMs / 10);
    const match = `${lobbyKeys(lobbyId)[0]}:match`;
    await redis.hincrby(match, 'openedAtMs', shiftMs);
    await redis.hincrby(match, 'deadlineMs', shiftMs);
    model.pass(tenths);
  }

  async function make(move: Move): Promise<void> {
    if (move.move === 'pass') return pass(move.tenths);
    if (move.move === 'outage') isDatabaseAway = !isDatabaseAway;
    else if (move.move === 'begin') {
      if (alive.length < MAX_PROCESSES) await begin(move.spec, move.hasFastClock);
    } else {
      const running = alive[move.which % alive.length];
      if (running && move.move === 'run') await run(running);
      else if (running && move.move === 'step') await step(running, move.fault);
    }
  }

  /** Does what workers do in any case: runs clocks at their deadlines, and sweeps. */
  async function finish(): Promise<void> {
    isDatabaseAway = false;
    for (const running of [...alive]) await run(running);
    for (let turns = 0; clocks.size > 0 || (await isRunning()); turns++) {
      if (turns === MAX_TURNS) throw new Error('The game does not end.');
      await pass(10);
      // The sweep resets only lobbies whose start was long ago.
      await db.lobby.updateMany({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
      await runNew({ do: 'sweep' });
      await runNew({ do: 'clock' });
    }
  }

  const isRunning = async () => (await db.lobby.count({ where: { id: lobbyId, status: 'running' } })) > 0;

  async function checkEnd(): Promise<void> {
    const games = await db.game.findMany({
      where: { id: { in: [...lobby.preparedMatches.keys()] } },
      include: { scores: { orderBy: { position: 'asc' } } },
    });
    expect(games.map(({ id }) => id)).toEqual([model.prepared()?.gameId]);
    const [{ scores = [], rounds = [] } = {}] = games;
    const correctOf = (userId: string) => model.find(userId)?.correct;
    expect(scores).toMatchObject(model.scores().map((score) => ({ ...score, correct: correctOf(score.userId) })));
    const judged = logChecker.events.filter(({ type }) => type === 'game:answer_result');
    expect(rounds).toMatchObject(judged.map(({ round }) => ({ round })));
    const row = await db.lobby.findUnique({ where: { id: lobbyId } });
    expect(row).toMatchObject({ status: 'finished', gameId: model.prepared()?.gameId });
    for (const userId of gone) expect(model.find(userId)?.left ?? true).toBe(true);
    checkAnswers();
  }

  /** Asserts that all counted answers were sent, and that acknowledged answers count. */
  function checkAnswers(): void {
    const counted = logChecker.events.flatMap(({ type, questionId, answers }) =>
      type === 'game:answer_result' ? (answers as JudgedAnswer[]).map((answer) => ({ ...answer, questionId })) : [],
    );
    for (const { userId, questionId, optionId, isAcknowledged } of sent) {
      const judged = counted.find((a) => a.userId === userId && a.questionId === questionId);
      // Results do not contain players who have left.
      if (judged && isAcknowledged) expect(judged.selectedOptionId).toBe(optionId);
    }
    for (const { userId, questionId, selectedOptionId } of counted) {
      if (selectedOptionId === null) continue;
      expect(sent).toContainEqual(expect.objectContaining({ userId, questionId, optionId: selectedOptionId }));
    }
  }

  try {
    for (const move of moves) await make(move);
    await finish();
    for (let again = 0; model.status() === 'none' && again < STARTS_AT_LAST; again++) {
      // If no start has succeeded, the lobby waits after a sweep, so that it can be started.
      await runNew({ do: 'start' });
      await finish();
    }
    expect(model.status()).toBe('finished');
    await checkEnd();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}\n\n${trace.join('\n')}`, { cause: error });
  }
}
