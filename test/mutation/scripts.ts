// Mutates the Lua scripts of lobbies and games at places chosen by chance, one at a time, and runs the tests of the
// mutated script until one fails.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createRandom } from '../../src/tools/prove/random.ts';
import type { Checkout } from './checkout.ts';

export const SCRIPTS = 'src/{lobby,match}/lua/*.lua';
/** A mutant whose tests take longer has died: a script may never end. */
const LIMIT_MS = 240_000;

/** Scripts with the files in `test` about them. */
// biome-ignore format: a table has a line for each row
const TESTS: [scripts: string, tests: string][] = [
  ['announce-state', 'lobby/live-state lobby/bursts lobby/checks lobby/status'],
  ['store-answer', 'match/store match/answers match/host match/model match/room-races match/typed-games'],
  ['append-event', 'lobby/live-state lobby/bursts lobby/log-budget lobby/room lobby/status match/host realtime/catching-up realtime/compact realtime/marks realtime/resume'],
  ['check-lobbies find-departed-players', 'lobby/bursts lobby/checks match/clock match/survives realtime/lost-events realtime/reconciler'],
  ['check-round present-players', 'match/store match/present match/room-races'],
  ['close-lobby', 'lobby/live-state lobby/room realtime/resume worker/idle-lobbies'],
  ['connected-sockets', 'lobby/checks lobby/lobbies lobby/room match/start'],
  ['cut-log trim-log', 'lobby/log-budget realtime/catching-up'],
  ['end-phase skip-phase', 'match/store lobby/status match/clock match/host match/model match/room-races match/survives realtime/compact'],
  ['enter-match leave-match', 'match/store match/host match/model match/room-races'],
  ['finish-match judged-rounds read-rounds', 'match/store lobby/status match/clock match/host match/model match/survives'],
  ['put-roster', 'lobby/live-state lobby/bursts lobby/room lobby/status match/host realtime/compact'],
  ['read-log', 'lobby/log-budget realtime/catching-up realtime/lost-events realtime/resume'],
  ['read-shown snapshot', 'match/answers match/clock match/host match/model realtime/resume'],
  ['renew-progress', 'realtime/streams'],
  ['start-match', 'lobby/status match/clock match/host match/room-races match/start'],
  ['update-presence', 'lobby/live-state match/present lobby/bursts lobby/checks lobby/room match/model realtime/compact'],
];

/** How Vitest tells of a failed test, of a file that cannot be loaded, or of a rejection. */
const FAILURE = /^ *(?:×|FAIL|Error:|Unhandled).*\n/m;

interface Mutant {
  file: string;
  line: number;
  /** The code before and after. */
  change: string;
  /** The whole file. */
  text: string;
}

/** What replaces an operator or a word, as Stryker has it. */
const SWAPS: Record<string, string[]> = {
  '==': ['~='],
  '~=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  and: ['or'],
  or: ['and'],
  true: ['false'],
  false: ['true'],
  'not ': [''],
};
/** Constant indices are left out: they are half of all numbers, and no test misses a wrong argument. */
const TOKENS = /[=~<>]=|[<>+*/]| - |\b(?:and|or|true|false)\b|\bnot |(?<![\w.[])\d+(?![\w.])/g;
/** A line that is whole statements; it may be removed. */
const STATEMENT = /^ *(?! |local |return|else|until)(?:[\w.]+\(.*\)|(?:if|for) .* end|[\w.,[\]# +]+ = .*[^,{(=])$/;

/** @returns the mutants of a script */
function mutantsOf(file: string, text: string): Mutant[] {
  // Texts and comments are not mutated.
  const code = text.replaceAll(/'[^'\n]*'|--.*$/gm, (part) => part.replaceAll(/./g, '\0'));
  const mutants: Mutant[] = [];
  const add = (at: number, old: string, replacement: string) => {
    const line = text.slice(0, at).split('\n').length;
    const mutated = `${text.slice(0, at)}${replacement}${text.slice(at + old.length)}`;
    const change = `${old.trim()} → ${replacement.trim() || 'nothing'}`;
    mutants.push({ file, line, change, text: mutated });
  };
  for (const { 0: token, index } of code.matchAll(TOKENS)) {
    const word = token === 'not ' ? token : token.trim();
    for (const other of SWAPS[word] ?? []) add(index, token, token.replace(word, other));
    // Limits are doubled. Smaller numbers are flags and steps: Stryker leaves all numbers as they are.
    if (Number(token) >= 8) add(index, token, String(2 * Number(token)));
  }
  let at = 0;
  for (const line of code.split('\n')) {
    const isWhole = countOf(line, /[({]/g) === countOf(line, /[)}]/g);
    if (isWhole && STATEMENT.test(line)) add(at, text.slice(at, at + line.length), '');
    at += line.length + 1;
  }
  return mutants;
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

/** @returns so many of all mutants, chosen by chance; a run that is ended early has tried a fair choice too */
function choose(mutants: Mutant[], count: number, seed: number): Mutant[] {
  const random = createRandom(seed);
  const drawn = mutants.map((mutant) => ({ mutant, place: random.next() })).toSorted((a, b) => a.place - b.place);
  return drawn.slice(0, count).map(({ mutant }) => mutant);
}

/** @returns the files of tests about a script */
export function testsOf(folder: string, file: string): string[] {
  const [, names] = TESTS.find(([scripts]) => scripts.split(' ').includes(basename(file, '.lua'))) ?? [];
  if (!names) throw new Error(`scripts.ts names no tests of ${file}.`);
  const tests = names.split(' ').map((name) => `test/${name}.test.ts`);
  for (const test of tests) if (!existsSync(join(folder, test))) throw new Error(`There is no ${test}.`);
  return tests;
}

/**
 * @param isChosen says of a file whether it is mutated
 * @returns whether so many of the mutants died
 */
export async function mutateScripts(
  checkout: Checkout,
  isChosen: (file: string) => boolean,
  leastShare: number,
  { seed, count }: { seed: number; count: number },
): Promise<boolean> {
  const { folder } = checkout;
  const files = globSync(SCRIPTS, { cwd: folder }).toSorted();
  const tests = new Map(files.map((file) => [file, testsOf(folder, file)]));
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  const all = files.filter(isChosen).flatMap((file) => mutantsOf(file, textOf(file)));
  const mutants = choose(all, count, seed);
  if (mutants.length === 0) return true;
  console.log(`Of ${all.length} mutants of Lua scripts, ${mutants.length} are tried, with SEED=${seed}.`);

  const vitest = async (names: string[]) => {
    const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'all', '--reporter', 'verbose', '--bail', '1'];
    // The first failure is enough: other files might try for a minute to find a smaller example of theirs.
    const options = { limitMs: LIMIT_MS, until: FAILURE };
    const { code, output } = await checkout.run(process.execPath, [...args, ...names], options);
    if (code === 0) return undefined;
    const [failure] = FAILURE.exec(output) ?? [];
    if (code !== null && !failure) throw new Error(`Vitest has failed:\n${output.slice(-2000)}`);
    return failure?.trim() ?? 'The tests did not end.';
  };
  // Where the tests fail anyway, each mutant would seem to die.
  const failure = await vitest([...new Set(mutants.flatMap(({ file }) => tests.get(file) as string[]))]);
  if (failure) throw new Error(`The tests fail without a mutation: ${failure}`);

  const survivors: string[] = [];
  for (const { file, line, change, text } of mutants) {
    const original = textOf(file);
    const startedMs = performance.now();
    writeFileSync(join(folder, file), text);
    const death = await vitest(tests.get(file) as string[]);
    writeFileSync(join(folder, file), original);
    const place = `${file}:${line}  ${change}`;
    if (!death) survivors.push(`  ${place}`);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${death ? 'killed  ' : 'SURVIVED'} ${place}  ${seconds} s  ${death ?? ''}`);
  }
  const died = mutants.length - survivors.length;
  console.log([`${died} of ${mutants.length} mutants of Lua scripts died. Survivors:`, ...survivors].join('\n'));
  return died >= mutants.length * leastShare;
}
