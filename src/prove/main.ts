// npm run prove: plays games through the front door of any deployment, and checks as an outsider
// everything that is promised.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError } from '../client/index.ts';
import { NoAccountsError } from './accounts.ts';
import type { LobbyHistory } from './history.ts';
import { noProgress, prove } from './prove.ts';
import { formatJson, formatSummary, startView } from './view.ts';

const HELP = `npm run prove -- --url https://… [--players N] [--games N] [--minutes M] [--round SECONDS]
    [--while COMMAND --every SECONDS] [--accounts FILE] [--json]
  --url       the service's address, as players know it
  --players   how many play (40); from one address the service may let fewer in
  --games     how many lobbies play at a time (10)
  --minutes   how long games are begun (2)
  --round     how many seconds a round lasts (6)
  --while     a command for the shell, done all the while …
  --every     … every so many seconds (10)
  --late      what is due and comes later than so many seconds is a violation (10)
  --accounts  a file with a line an account: "email password", or a session's cookie "name=value";
              without it guests are made, where the service takes them (GUESTS)
  --history   a folder for the histories of lobbies of which something is wrong (.data); - prints them
  --json      the summary as one JSON object
Exit codes: 0 proved, 1 something promised does not hold, 2 it could not be tried.`;

const NOT_TRIED = 2;
/** As the folder of the histories. */
const PRINTED = '-';

function readOptions() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      players: { type: 'string', default: '40' },
      games: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '2' },
      round: { type: 'string', default: '6' },
      while: { type: 'string' },
      every: { type: 'string', default: '10' },
      late: { type: 'string', default: '10' },
      accounts: { type: 'string' },
      history: { type: 'string', default: '.data' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (
    name: 'players' | 'games' | 'minutes' | 'round' | 'every' | 'late',
    min: number,
  ) => {
    const value = Number(values[name]);
    if (!(value >= min)) throw new RangeError(`--${name} is a number of at least ${min}.`);
    return value;
  };
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (!values.url || !URL.canParse(values.url)) throw new RangeError('--url is the address.');
  return {
    ...{ url: values.url, file: values.accounts, command: values.while },
    ...{ players: Math.floor(number('players', 2)), games: Math.floor(number('games', 1)) },
    durationMs: number('minutes', 0.05) * 60_000,
    roundMs: number('round', 1) * 1000,
    everyMs: number('every', 1) * 1000,
    lateMaxMs: number('late', 0.1) * 1000,
    ...{ isJson: values.json, folder: values.history },
  };
}

/** @returns the files, if any */
function writeHistories(folder: string, histories: readonly LobbyHistory[]): string[] {
  const plain = histories.map(withoutCookies);
  if (folder === PRINTED) for (const history of plain) console.log(JSON.stringify(history));
  if (folder === PRINTED || plain.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  return plain.map((history) => {
    const file = resolve(folder, `prove-${history.code}.json`);
    writeFileSync(file, JSON.stringify(history, null, 1));
    return file;
  });
}

/** What lets somebody in is no part of a history. */
function withoutCookies(history: LobbyHistory): LobbyHistory {
  const clients = history.clients.map(
    ({ user: { id, name }, received, asides, sent, connections }) => ({
      ...{ user: { id, name }, received, asides, sent, connections },
    }),
  );
  return { ...history, clients };
}

/** @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const progress = noProgress();
  const stopView = startView(options.durationMs, progress, process.stderr);
  try {
    await prove({ ...options, signal: stopping.signal }, progress);
    stopView();
    const files = writeHistories(options.folder, progress.histories);
    console.log((options.isJson ? formatJson : formatSummary)(progress, files));
    if (progress.violations.length > 0) return 1;
    return progress.games > 0 ? 0 : NOT_TRIED;
  } finally {
    stopView();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  const isExpected =
    error instanceof RangeError ||
    error instanceof NoAccountsError ||
    error instanceof ApiError ||
    (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS') ||
    (error as Error).name === 'AbortError';
  if (!isExpected) throw error;
  console.error(`${(error as Error).message}\nnpm run prove -- --help says how it is used.`);
  process.exitCode = NOT_TRIED;
}
