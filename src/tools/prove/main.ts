// The command `npm run prove`: plays games through the public interface of any deployment, and checks as an
// outsider everything that the contract promises.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError } from '../../client/index.ts';
import { showProgress } from '../command.ts';
import { NoAccountsError } from './accounts.ts';
import type { LobbyHistory } from './history.ts';
import { emptyProgress, prove } from './prove.ts';
import { describeRun, formatJson, formatSummary } from './view.ts';

const HELP = `npm run prove -- --url https://… [--players N] [--games N | --room N] [--minutes M] [--round SECONDS]
    [--transport sse] [--while COMMAND --every SECONDS] [--accounts FILE] [--json]
  --url       the service's address, as players know it
  --players   number of players (40); the service may accept fewer from one address
  --games     number of lobbies that play at the same time (10)
  --room      instead of many small lobbies, rooms of this many players, whose hosts present one game of ten rounds
  --minutes   how long new games begin, minutes (2)
  --round     length of a round, seconds (6)
  --transport by what players connect: websocket, sse (streams), or auto, which changes over to streams (auto)
  --while     a shell command that is run again and again during the games …
  --every     … at this interval, seconds (10)
  --late      an event that comes later than this is a violation, seconds (10)
  --accounts  a file with one account a line: "email password", or a session cookie "name=value";
              without it the run creates guests, if the service allows them (GUESTS)
  --history   the folder for the histories of lobbies with violations (.data); - prints them
  --json      print the summary as one JSON object
Exit codes: 0 proved, 1 a promise was broken, 2 the run was not possible.`;

const URL_EXAMPLE = 'give it as in --url https://quiz.example';

const TRANSPORTS = ['auto', 'sse', 'websocket'] as const;

const NOT_TRIED = 2;
/** This value of --history prints the histories instead. */
const PRINTED = '-';

function readOptions() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      players: { type: 'string', default: '40' },
      games: { type: 'string', default: '10' },
      room: { type: 'string' },
      minutes: { type: 'string', default: '2' },
      round: { type: 'string', default: '6' },
      transport: { type: 'string', default: 'auto' },
      while: { type: 'string' },
      every: { type: 'string', default: '10' },
      late: { type: 'string', default: '10' },
      accounts: { type: 'string' },
      history: { type: 'string', default: '.data' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const number = (name: 'players' | 'games' | 'room' | 'minutes' | 'round' | 'every' | 'late', min: number) => {
    const value = Number(values[name]);
    if (!(value >= min)) throw new RangeError(`--${name} must be a number of at least ${min}.`);
    return value;
  };
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (values.url === undefined) throw new RangeError(`The address of the service is missing: ${URL_EXAMPLE}.`);
  if (!/^https?:$/.test(URL.parse(values.url)?.protocol ?? ''))
    throw new RangeError(`"${values.url}" is no address of a service: ${URL_EXAMPLE}.`);
  const transport = TRANSPORTS.find((one) => one === values.transport);
  if (!transport) throw new RangeError(`--transport must be one of ${TRANSPORTS.join(', ')}.`);
  return {
    url: values.url,
    transport,
    file: values.accounts,
    command: values.while,
    players: Math.floor(number('players', 2)),
    games: Math.floor(number('games', 1)),
    room: values.room === undefined ? undefined : Math.floor(number('room', 3)),
    durationMs: number('minutes', 0.05) * 60_000,
    roundMs: number('round', 1) * 1000,
    everyMs: number('every', 1) * 1000,
    lateMaxMs: number('late', 0.1) * 1000,
    isJson: values.json,
    folder: values.history,
  };
}

/** @returns the paths of the written files */
function writeHistories(folder: string, histories: readonly LobbyHistory[]): string[] {
  if (folder === PRINTED) for (const history of histories) console.log(JSON.stringify(history));
  if (folder === PRINTED || histories.length === 0) return [];
  mkdirSync(folder, { recursive: true });
  return histories.map((history) => {
    const file = resolve(folder, `prove-${history.code}.json`);
    writeFileSync(file, JSON.stringify(history, null, 1));
    return file;
  });
}

/** @returns the exit code */
async function main(): Promise<number> {
  const options = readOptions();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const progress = emptyProgress();
  const stopView = showProgress((ms) => describeRun(progress, ms, options.durationMs), process.stderr);
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
  console.error(`${(error as Error).message}\nRun npm run prove -- --help for its options.`);
  process.exitCode = NOT_TRIED;
}
