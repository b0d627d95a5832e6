// The state that all processes of an interleaving share: one lobby, the real stores, and the clocks' jobs,
// which survive every process.
import { createLobby } from '../../../src/lobby/create-lobby.ts';
import { putRoster } from '../../../src/lobby/event-log.ts';
import { updatePresence } from '../../../src/lobby/presence.ts';
import { CreateLobbyRequest } from '../../../src/lobby/schema.ts';
import { addPlayer, findById, type StoredLobby } from '../../../src/lobby/store.ts';
import type { PreparedMatch } from '../../../src/match/prepared-match.ts';
import type { Services } from '../../../src/services.ts';
import { sealedQuestion } from '../matches.ts';
import { createMatchModel } from './match-model.ts';

/** The host and one other player are connected, two members connect later, and the last user is no member. */
export const CONNECTED = 2;
export const MEMBERS = 4;
export const USERS = 5;

/** The duration of a round, ms. It is so long that only the test makes time pass. */
export const ROUND_MS = 1e10;

export interface User {
  id: string;
  name: string;
}

/** An answer that was stored. `isAcknowledged` is true once the process has returned without an error. */
export interface SentAnswer {
  userId: string;
  questionId: string;
  optionId: number;
  isAcknowledged: boolean;
}

export interface InterleavingDeps extends Pick<Services, 'db' | 'postgres' | 'redis' | 'logger'> {
  /** The users; the first one is the host. */
  users: User[];
}

/** The duration of an intermission, ms. It is the longest one, which no interleaving reaches either. */
export const INTERMISSION_MS = 300_000;

export interface GameSettings {
  scoring: 'accuracy' | 'speed' | 'streak';
  intermissionMs: 0 | typeof INTERMISSION_MS;
  hostPlays: boolean;
  lateJoin: boolean;
  key: number[];
}

/** What the processes of a lobby have besides the stores. */
export const PROCESS = {
  lobbyTtlMs: 60_000,
  processName: 'test',
  tellLog() {},
  pendingAnnouncements: { schedule() {} },
};

export type ModelledLobby = Awaited<ReturnType<typeof createModelledLobby>>;

export async function createModelledLobby(deps: InterleavingDeps, settings: GameSettings) {
  const { db, postgres, redis, users } = deps;
  const { key, ...chosen } = settings;
  // A sweep would process the lobbies of failed interleavings as well.
  await db.lobby.deleteMany();
  const members = users.slice(0, MEMBERS).map(({ id }) => id);
  const request = CreateLobbyRequest.parse({ settings: { ...chosen, rounds: key.length } });
  const creating = { db, postgres, roundDurationMs: ROUND_MS };
  const { lobbyId, code } = await createLobby(creating, members[0] as string, request);
  for (const userId of members.slice(1)) await addPlayer(postgres, code, userId);
  const live = { redis, ...PROCESS };
  await putRoster(live, (await findById(postgres, lobbyId)) as StoredLobby);
  const sockets = users.slice(0, CONNECTED).map(({ id }) => ({ userId: id, socketId: `of-${id}` }));
  await updatePresence(live, lobbyId, 'add', sockets);
  return {
    ...deps,
    lobbyId,
    code,
    settings,
    model: createMatchModel(),
    /** The jobs of the clocks, by game. */
    clocks: new Map<string, PreparedMatch | null>(),
    /** All games that a process has tried to start, by id. */
    preparedMatches: new Map<string, PreparedMatch>(),
    sent: [] as SentAnswer[],
    /** The users who certainly have a socket in the lobby. */
    present: new Set(members.slice(0, CONNECTED)),
    /** The users who have at least begun to leave. */
    leaving: new Set<string>(),
    /** The users who have certainly left. */
    gone: new Set<string>(),
    drawQuestions: async () => settings.key.map((correctOptionId, index) => sealedQuestion(index, correctOptionId)),
  };
}
