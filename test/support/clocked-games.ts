// Games without replicas: the tests start them by the service's functions, and a worker runs their clocks.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, expect, vi } from 'vitest';
import { createLobby } from '../../src/lobby/create-lobby.ts';
import { readWholeLog } from '../../src/lobby/event-log.ts';
import { joinLobby } from '../../src/lobby/join-lobby.ts';
import { updatePresence } from '../../src/lobby/presence.ts';
import { CreateLobbyRequest } from '../../src/lobby/schema.ts';
import { type Match, openQuestion } from '../../src/match/rules.ts';
import { type StartServices, startMatch } from '../../src/match/start-match.ts';
import { readHead, readMatch } from '../../src/match/store.ts';
import { submitAnswer } from '../../src/match/submit-answer.ts';
import type { Consumer } from '../../src/platform/queues/queue.ts';
import type { Services } from '../../src/services.ts';
import { countClocks, startRunningClocks } from './clocks.ts';
import { eventually } from './eventually.ts';
import { type Gate, gatedPostgres, gatedRedis, startProcess } from './interleaving/gated-process.ts';
import { sealedQuestion } from './matches.ts';
import { useService } from './service.ts';

const ROUND_MS = 400;

/** The events of a game of two rounds without answers. */
export const TWO_TIMEOUTS = [
  'game:question 1',
  'game:answer_result 1 timeout',
  'game:question 2',
  'game:answer_result 2 timeout',
  'game:finished',
];

export function useClockedGames() {
  const { service } = useService();
  const services = {} as Services;
  let hostId: string;
  let guestId: string;
  const workers: Consumer[] = [];

  beforeAll(async () => {
    Object.assign(services, service.services);
    const add = async (name: string) =>
      (await services.db.user.create({ data: { name, email: `${name}@example.com` } })).id;
    [hostId, guestId] = [await add('Ada'), await add('Ben')];
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) await worker.close();
  });

  const lobbyOf = (lobbyId: string) => services.db.lobby.findUnique({ where: { id: lobbyId } });
  const clocks = async () => (await countClocks(services)).reduce((sum, count) => sum + count);
  const expectNoClock = () => eventually(async () => expect(await clocks()).toBe(0));

  return {
    services,
    hostId: (): string => hostId,
    /** Makes a waiting lobby of two rounds with both players connected. @returns its id */
    async gather(roundDurationMs = ROUND_MS, intermissionMs = 0, settings = {}): Promise<string> {
      const request = CreateLobbyRequest.parse({ settings: { rounds: 2, intermissionMs, ...settings } });
      const deps = { ...services, roundDurationMs };
      const { lobbyId, code } = await createLobby(deps, hostId, request);
      await joinLobby(services, code, { userId: guestId, address: '127.0.0.1' });
      const sockets = [hostId, guestId].map((userId) => ({ userId, socketId: `of-${userId}` }));
      await updatePresence(services, lobbyId, 'add', sockets);
      return lobbyId;
    },
    /** Starts the lobby's game. @returns the game's id */
    async start(lobbyId: string): Promise<string> {
      await startMatch(startDepsOf(services), lobbyId, hostId);
      return (await lobbyOf(lobbyId))?.gameId as string;
    },
    /**
     * Starts the lobby's game in a replica that crashes.
     * @param last the command after which it crashes, such as `redis evalsha start-match`
     * @returns the game's id, empty if the lobby is not running
     */
    async startAndCrash(lobbyId: string, last: string): Promise<string> {
      const replica = await startProcess((gate) => startMatch(gatedDeps(services, gate), lobbyId, hostId));
      for (let next = replica.next(); next !== null; next = replica.next())
        await replica.step(next === last ? 'died after' : 'none');
      expect(replica.outcome(), `the start has no command ${last}`).toBeNull();
      return (await lobbyOf(lobbyId))?.gameId ?? '';
    },
    async answerByAll(lobbyId: string): Promise<void> {
      const match = (await readMatch(services.redis, lobbyId)) as Match;
      const answer = { questionId: openQuestion(match).question.questionId, given: { optionId: 0 } };
      for (const userId of [hostId, guestId])
        await submitAnswer(services, lobbyId, { ...answer, userId, token: randomUUID() });
    },
    /** Starts a worker, which runs the clocks that are due. It stops at the end of the test. */
    startWorker: (deps = services): void => void workers.push(startRunningClocks(deps)),
    lobbyOf,
    /** @returns the game's events as `type round reason` */
    async eventsOf(lobbyId: string): Promise<string[]> {
      const events = await readWholeLog(services.redis, lobbyId);
      return events
        .filter(({ type }) => type.startsWith('game:'))
        .map(({ type, round, reason }) => [type, round, reason].filter(Boolean).join(' '));
    },
    clocks,
    /** Waits until all clocks are removed, so that their ids are free again. */
    expectNoClock,
    async expectEnd(lobbyId: string): Promise<void> {
      await eventually(async () => expect((await readHead(services.redis, lobbyId))?.status).toBe('finished'));
      const { code = '', gameId, status } = (await lobbyOf(lobbyId)) ?? {};
      expect(status).toBe('finished');
      const games = await services.db.game.findMany({ where: { code }, include: { scores: true } });
      expect(games).toMatchObject([{ id: gameId, scores: [{}, {}] }]);
      await expectNoClock();
    },
  };
}

/** Runs the function as a process on a machine whose clock is ten minutes off. */
export async function withClockOff(direction: 'ahead' | 'behind', act: () => Promise<unknown>): Promise<void> {
  const now = Date.now.bind(Date);
  const offMs = direction === 'ahead' ? 600_000 : -600_000;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
  await act().finally(() => clock.mockRestore());
}

const startDepsOf = (services: Services): StartServices => ({
  ...services,
  drawQuestions: async (_, count) => Array.from({ length: count }, (_, index) => sealedQuestion(index, 0)),
});

function gatedDeps(services: Services, gate: Gate): StartServices {
  const { clock, postgres, redis } = services;
  return {
    ...startDepsOf(services),
    postgres: gatedPostgres(postgres, gate),
    redis: gatedRedis(redis, gate),
    clock: { ...clock, schedule: (prepared) => gate('clock schedule', () => clock.schedule(prepared)) },
  };
}
