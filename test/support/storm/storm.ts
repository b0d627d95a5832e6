// One lobby's game, played by processes that interleave, die, and lose their stores between any two
// commands, while a model of the contract follows. After every command the two must agree; when the
// storm is over, whoever is left brings the game to its end.
import { expect } from 'vitest';
import { lobbyKeys } from '../../../src/lobby/keys.ts';
import type { JudgedAnswer } from '../../../src/match/schema.ts';
import { createErrand, type Order, type StormErrand } from './errands.ts';
import {
  createStormLobby,
  type GameSettings,
  INTERMISSION_MS,
  ROUND_MS,
  type StormDeps,
} from './lobby.ts';
import { type Fate, type Process, startProcess } from './stepper.ts';
import { createWitness } from './witness.ts';

/** A lobby whose start died is given back by a sweep, and only the next start gets through. */
const STARTS_AT_LAST = 3;

/** One thing that happens. `which` picks a process among those that are alive. */
export type Move =
  | { move: 'begin'; order: Order; hasFastClock: boolean }
  | { move: 'step'; which: number; fate: Fate }
  | { move: 'run'; which: number }
  | { move: 'pass'; tenths: number }
  /** PostgreSQL goes away, or comes back. */
  | { move: 'outage' };

const MAX_PROCESSES = 4;

/** More steps than anything can need: whoever takes as many goes round in a circle. */
const MAX_STEPS = 300;

/** A turn for each phase, one for each clock of a start that lost, and a few for what was left. */
const MAX_TURNS = 40;

interface Running {
  name: string;
  errand: StormErrand;
  process: Process;
}

/** @throws Error with everything that happened, when it differed from the model */
export async function rage(deps: StormDeps, settings: GameSettings, moves: Move[]): Promise<void> {
  const lobby = await createStormLobby(deps, settings);
  const { db, redis, lobbyId, model, clocks, sent, gone } = lobby;
  const witness = createWitness(lobby);
  const alive: Running[] = [];
  const story: string[] = [];
  let isDatabaseAway = false;
  let processes = 0;

  async function begin(order: Order, hasFastClock = false): Promise<Running | null> {
    const comer = 'player' in order && order.do !== 'answer' ? lobby.users[order.player]?.id : null;
    if (comer && alive.some(({ errand }) => errand.userId === comer)) return null;
    const errand = createErrand(lobby, order, hasFastClock);
    if (!errand) return null;
    const name = `${++processes}:${Object.values(order).join(' ')}`;
    const process = await startProcess(errand.body);
    const running = { name, errand, process };
    alive.push(running);
    return running;
  }

  async function step(running: Running, asked: Fate = 'done'): Promise<void> {
    const { name, errand, process } = running;
    const command = process.next() ?? '';
    const fate = fateOf(command, asked);
    const { reply } = await process.step(fate);
    story.push(`${name} – ${command} – ${fate} – ${JSON.stringify(reply)?.slice(0, 60)}`);
    const [, call = '', script = ''] = command.split(' ');
    if (call.startsWith('eval')) {
      if (reply !== undefined) errand.effect?.(script, reply);
      await witness.observe();
    }
    if (process.next() === null) end(running);
  }

  function fateOf(command: string, asked: Fate): Fate {
    if (command.startsWith('redis')) return asked;
    if (isDatabaseAway && command.startsWith('sql') && asked !== 'died before') return 'refused';
    // Redis' client sends a command again when the connection broke; PostgreSQL's does not.
    return asked === 'resent' ? 'done' : asked;
  }

  function end(running: Running): void {
    const { errand, process } = running;
    alive.splice(alive.indexOf(running), 1);
    const outcome = process.outcome();
    if (!outcome) return;
    errand.ended(outcome, !process.isDisturbed());
    if (process.isDisturbed()) return;
    // Who found or made a phase due, and was not disturbed, has seen to it that it was resolved.
    const isLeftUndone = errand.duePhase?.() === model.phase() && model.isDue();
    expect(isLeftUndone, `${running.name} left a phase undone`).toBe(false);
  }

  async function run(running: Running): Promise<void> {
    for (let steps = 0; alive.includes(running); steps++) {
      if (steps === MAX_STEPS) throw new Error(`${running.name} does not end.`);
      await step(running);
    }
  }

  async function runNew(order: Order): Promise<void> {
    const running = await begin(order);
    if (running) await run(running);
  }

  /** As if the Redis server's clock had gone on. */
  async function pass(tenths: number): Promise<void> {
    const phaseMs = { open: ROUND_MS, intermission: INTERMISSION_MS }[model.status() as 'open'];
    if (!phaseMs) return;
    story.push(`${tenths} tenths of a phase pass`);
    const shiftMs = -tenths * (phaseMs / 10);
    const match = `${lobbyKeys(lobbyId)[0]}:match`;
    await redis.hincrby(match, 'openedAtMs', shiftMs);
    await redis.hincrby(match, 'deadlineMs', shiftMs);
    model.pass(tenths);
  }

  async function make(move: Move): Promise<void> {
    if (move.move === 'pass') return pass(move.tenths);
    if (move.move === 'outage') {
      isDatabaseAway = !isDatabaseAway;
      return;
    }
    if (move.move === 'begin') {
      if (alive.length < MAX_PROCESSES) await begin(move.order, move.hasFastClock);
      return;
    }
    const running = alive[move.which % alive.length];
    if (!running) return;
    if (move.move === 'run') await run(running);
    else await step(running, move.fate);
  }

  /** What the workers do in any case: clocks that fire at their deadlines, and sweeps. */
  async function calm(): Promise<void> {
    isDatabaseAway = false;
    for (const running of [...alive]) await run(running);
    for (let turns = 0; clocks.size > 0 || (await isRunning()); turns++) {
      if (turns === MAX_TURNS) throw new Error('The game does not end.');
      await pass(10);
      // And the start, if there was one, is long ago.
      await db.lobby.updateMany({ where: { id: lobbyId }, data: { activeAt: new Date(0) } });
      await runNew({ do: 'sweep' });
      await runNew({ do: 'clock' });
    }
  }

  const isRunning = async () =>
    (await db.lobby.count({ where: { id: lobbyId, status: 'running' } })) > 0;

  async function checkEnd(): Promise<void> {
    const game = await db.game.findMany({
      where: { id: { in: [...lobby.plans.keys()] } },
      include: { scores: { orderBy: { position: 'asc' } } },
    });
    expect(game.map(({ id }) => id)).toEqual([model.plan()?.gameId]);
    const stored = game[0]?.scores.map(({ userId, name, score }) => ({ userId, name, score }));
    expect(stored).toEqual(model.scores());
    const rounds = (game[0]?.rounds ?? []) as { round: number }[];
    const judged = witness.events().filter(({ type }) => type === 'game:answer_result');
    expect(rounds.map(({ round }) => round)).toEqual(judged.map(({ round }) => round));
    for (const { userId, correct } of model.players()) {
      expect(game[0]?.scores.find((score) => score.userId === userId)?.correct).toBe(correct);
    }
    const row = await db.lobby.findUnique({ where: { id: lobbyId } });
    expect(row).toMatchObject({ status: 'finished', gameId: model.plan()?.gameId });
    for (const userId of gone) expect(model.find(userId)?.left ?? true).toBe(true);
    checkAnswers();
  }

  /** The answers that count are those that were acknowledged, or whose sender heard nothing. */
  function checkAnswers(): void {
    const counted = witness
      .events()
      .flatMap(({ type, questionId, answers }) =>
        type === 'game:answer_result'
          ? (answers as JudgedAnswer[]).map((answer) => ({ ...answer, questionId }))
          : [],
      );
    for (const { userId, questionId, optionId, isAcknowledged } of sent) {
      const judged = counted.find((a) => a.userId === userId && a.questionId === questionId);
      // Who has left the game is in no result any more.
      if (judged && isAcknowledged) expect(judged.selectedOptionId).toBe(optionId);
    }
    for (const { userId, questionId, selectedOptionId } of counted) {
      if (selectedOptionId === null) continue;
      expect(sent).toContainEqual(
        expect.objectContaining({ userId, questionId, optionId: selectedOptionId }),
      );
    }
  }

  try {
    for (const move of moves) await make(move);
    await calm();
    for (let again = 0; model.status() === 'none' && again < STARTS_AT_LAST; again++) {
      // No start got through: the lobby waits, after a sweep at the latest, and can be started.
      await runNew({ do: 'start' });
      await calm();
    }
    expect(model.status()).toBe('finished');
    await checkEnd();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}\n\n${story.join('\n')}`, { cause: error });
  }
}
