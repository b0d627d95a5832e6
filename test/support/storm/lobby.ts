// What the processes of a storm have in common: one lobby, the real stores, and the clocks' jobs,
// which outlive every process.
import { randomUUID } from 'node:crypto';
import { createLobby } from '../../../src/lobby/create-lobby.ts';
import { putRoster } from '../../../src/lobby/event-log.ts';
import { updatePresence } from '../../../src/lobby/presence.ts';
import { addPlayer, findById, type StoredLobby } from '../../../src/lobby/store.ts';
import type { MatchPlan } from '../../../src/match/plan.ts';
import type { Logger } from '../../../src/platform/logger.ts';
import type { Database } from '../../../src/platform/postgres.ts';
import type { RedisClient } from '../../../src/platform/redis.ts';
import { createMatchModel, type MatchModel } from '../../../src/prove/checker/match-model.ts';
import { seal } from '../../../src/vocabulary/draw-questions.ts';
import type { SealedQuestion } from '../../../src/vocabulary/rules.ts';

/** The host and another one who is connected, two members who come late, and a stranger. */
export const CONNECTED = 2;
export const MEMBERS = 4;
export const USERS = 5;

/** So long that the time a storm takes is no part of it: time passes when the storm says so. */
export const ROUND_MS = 1e10;

export interface User {
  id: string;
  name: string;
}

/** An answer that was stored; `isAcknowledged` once the process has returned without an error. */
export interface SentAnswer {
  userId: string;
  questionId: string;
  optionId: number;
  isAcknowledged: boolean;
}

export interface StormDeps {
  db: Database;
  redis: RedisClient;
  logger: Logger;
  /** The host first. */
  users: User[];
}

/** The longest that there is, which no storm lasts either. */
export const INTERMISSION_MS = 300_000;

export interface GameSettings {
  scoring: 'accuracy' | 'speed' | 'streak';
  intermissionMs: 0 | typeof INTERMISSION_MS;
  hostPlays: boolean;
  lateJoin: boolean;
  /** The right option of each round. */
  key: number[];
}

export interface StormLobby extends StormDeps {
  lobbyId: string;
  code: string;
  settings: GameSettings;
  model: MatchModel;
  /** The clocks' jobs by game. */
  clocks: Map<string, MatchPlan | null>;
  /** Every game that anybody ever planned to start. */
  plans: Map<string, MatchPlan>;
  sent: SentAnswer[];
  /** Users whose sockets are in the lobby for sure. */
  present: Set<string>;
  /** Users who have at least begun to leave. */
  leaving: Set<string>;
  /** Users who have left for sure. */
  gone: Set<string>;
  drawQuestions(): Promise<SealedQuestion[]>;
}

/** Opens a lobby in which the first players are connected. */
export async function createStormLobby(
  deps: StormDeps,
  settings: GameSettings,
): Promise<StormLobby> {
  const { db, redis, users } = deps;
  // What a failed storm has left would be swept up by the next one.
  await db.lobby.deleteMany();
  const members = users.slice(0, MEMBERS).map(({ id }) => id);
  const { lobbyId, code } = await createLobby(
    { db, roundDurationMs: ROUND_MS },
    members[0] as string,
    {
      capacity: 8,
      settings: {
        ...{ pos: 'noun', sourceLanguage: 'en', targetLanguage: 'it', difficulty: 'A1' },
        ...{ rounds: settings.key.length, scoring: settings.scoring },
        intermissionMs: settings.intermissionMs,
        ...{ hostPlays: settings.hostPlays, lateJoin: settings.lateJoin },
      },
    },
  );
  for (const userId of members.slice(1)) await addPlayer(db, code, userId);
  const live = { redis, lobbyTtlMs: 60_000, processName: 'test', owedStates: { payIn() {} } };
  await putRoster(live, (await findById(db, lobbyId)) as StoredLobby);
  const sockets = users.slice(0, CONNECTED).map(({ id }) => ({ userId: id, socketId: `of-${id}` }));
  await updatePresence(live, lobbyId, 'add', sockets);
  return {
    ...deps,
    lobbyId,
    code,
    settings,
    model: createMatchModel(),
    clocks: new Map(),
    plans: new Map(),
    sent: [],
    present: new Set(members.slice(0, CONNECTED)),
    leaving: new Set(),
    gone: new Set(),
    async drawQuestions() {
      return settings.key.map((correctOptionId, index) =>
        seal({
          correctOptionId,
          question: {
            questionId: randomUUID(),
            prompt: `word ${index}`,
            options: ['uno', 'due', 'tre', 'quattro'].map((text, optionId) => ({ optionId, text })),
          },
        }),
      );
    },
  };
}
