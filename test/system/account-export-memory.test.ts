// The memory of a replica does not grow with the account that it exports. [contract 22]
import { beforeAll, expect, it } from 'vitest';
import { EXPORT, storeLargeGames, storeLearnedWords } from '../support/exports.ts';
import { useReplicaProcesses } from '../support/replica-process.ts';
import { createSignedInUser } from '../support/users.ts';

const GAMES = 1500;
const WORDS = 50_000;
/**
 * The heap of the replica, MiB. More than half of it is taken before the export, so that a replica which keeps the
 * export runs out of memory.
 */
const HEAP_MIB = 128;
const EXPORT_MIN_BYTES = 90_000_000;
const TIMEOUT_MS = 240_000;

const { stores, stage } = useReplicaProcesses(1, { NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}` });
let cookie: string;
beforeAll(async () => {
  const user = await createSignedInUser(stage.services);
  cookie = user.cookie;
  await storeLargeGames(stores.databaseUrl, user.id, GAMES);
  await storeLearnedWords(stage.services.db, user.id, WORDS);
});

it(
  'a replica sends an export whole for which its heap has no room',
  async () => {
    const startedMs = performance.now();
    const answer = await fetch(stage.replicas[0]?.url + EXPORT, { headers: { cookie } });
    const text = await answer.text();
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`export: ${Math.round(text.length / 1e6)} MB in ${seconds} s`);
    expect(text.length).toBeGreaterThan(EXPORT_MIN_BYTES);
    const { games, learnedWords } = JSON.parse(text);
    expect(games).toHaveLength(GAMES);
    expect(learnedWords).toHaveLength(WORDS);
  },
  TIMEOUT_MS,
);
