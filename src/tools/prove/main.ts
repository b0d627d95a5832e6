// The command `npm run prove`: plays games through the public interface of any deployment, and checks as an
// outsider everything that the contract promises.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ApiError } from '../../client/index.ts';
import { asksForHelp, showProgress } from '../command.ts';
import { NoAccountsError } from './accounts.ts';
import type { LobbyHistory } from './history.ts';
import { emptyProgress, prove } from './prove.ts';
import { TRANSPORTS } from './robot.ts';
import { describeRun, formatJson, formatSummary } from './view.ts';

const HELP = `npm run prove -- --url https://… [--players N] [--games N | --room N] [--minutes M] [--round SECONDS]
    [--transport sse] [--while COMMAND --every SECONDS] [--accounts FILE] [--json]
  --url       the service's address, as players know it
  --players   number of players (40); the service may accept fewer from one address
  --games     number of lobbies that play at the same time (10)
  --room      instead of many small lobbies, rooms of this many players, whose hosts present one game of ten rounds
  --minutes   how long new games begin, minutes (2)
  --round     length of a round, seconds (6)
  --transport by what players connect: websocket, sse (streams), or auto, where some change over to streams (auto)
  --while     a shell command that is run again and again during the games …
  --every     … with this pause before each run, seconds (10)
  --late      an event that comes later than this is a violation, seconds (10)
  --accounts  a file with one account a line: "email password", or a session cookie "name=value";
              without it the run creates guests, if the service allows them (GUESTS)
  --history   the folder for the histories of lobbies with violations (.data); - prints them
  --json      print the summary as one JSON object
Exit codes: 0 proved, 1 a promise was broken, 2 the run was not possible.`;

const URL_EXAMPLE = 'give it as in --url https://quiz.example';
/** The numbers with their defaults and their smallest values; undefined: there is no default. */
const NUMBERS = {
  players: ['40', 2],
  games: ['10', 1],
  room: [undefined, 3],
  minutes: ['2', 0.05],
  round: ['6', 1],
  every: ['10', 1],
  late: ['10', 0.1],
} as const;

const NOT_TRIED = 2;
/** This value of --history prints the histories instead. */
const PRINTED = '-';

/** @throws RangeError if a value is missing or wrong */
function readOptions() {
  const numbers = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' } as const]));
  const texts = { url: { type: 'string' }, while: { type: 'string' }, accounts: { type: 'string' } } as const;
  const history = { type: 'string', default: '.data' } as const;
  const wanted = { type: 'string', default: 'auto' } as const;
  const { values } = parseArgs({
    options: { ...numbers, ...texts, history, transport: wanted, json: { type: 'boolean' } },
  });
  const given: Record<string, unknown> = values;
  const number = (name: keyof typeof NUMBERS) => {
    const [standard, min] = NUMBERS[name];
    const value = Number(given[name] ?? standard);
    if (!(value >= min)) throw new RangeError(`--${name} must be a number of at least ${min}.`);
    return value;
  };
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
    players: Math.floor(number('players')),
    games: Math.floor(number('games')),
    room: given.room === undefined ? undefined : Math.floor(number('room')),
    durationMs: number('minutes') * 60_000,
    roundMs: number('round') * 1000,
    everyMs: number('every') * 1000,
    lateMaxMs: number('late') * 1000,
    isJson: values.json === true,
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
  const { isJson, folder, ...options } = readOptions();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const progress = emptyProgress();
  const stopView = showProgress((ms) => describeRun(progress, ms, options.durationMs), process.stderr);
  await prove({ ...options, signal: stopping.signal }, progress).finally(stopView);
  const files = writeHistories(folder, progress.histories);
  console.log((isJson ? formatJson : formatSummary)(progress, files));
  if (progress.violations.length > 0) return 1;
  return progress.games > 0 ? 0 : NOT_TRIED;
}

try {
  if (asksForHelp(process.argv)) console.log(HELP);
  else process.exitCode = await main();
} catch (error) {
  const { code, name, message } = error as NodeJS.ErrnoException;
  const isOurs = [RangeError, NoAccountsError, ApiError].some((type) => error instanceof type);
  if (!isOurs && !code?.startsWith('ERR_PARSE_ARGS') && name !== 'AbortError') throw error;
  console.error(`${message}\nRun npm run prove -- --help for its options.`);
  process.exitCode = NOT_TRIED;
}
