// Plants one bug at a time in the service, and plays games wherever games are played: the oracle has to find each bug in
// each place, by what clients received and what is stored.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Checkout } from './checkout.ts';

interface Bug {
  name: string;
  file: string;
  /** The code that is replaced; it is there once. */
  code: string;
  replacement: string;
  /** What the oracle says of it. */
  finding: RegExp;
}

const SEND = 'listener.send(message.textFor(listener), message.id);';
const BUGS: Bug[] = [
  {
    name: 'a lost event',
    file: 'src/realtime/rooms.ts',
    code: SEND,
    replacement: `if (entry.type !== 'game:answer_result') ${SEND}`,
    finding: /number \d+ \(\S+\) comes/,
  },
  {
    name: 'a doubled event',
    file: 'src/realtime/rooms.ts',
    code: SEND,
    replacement: `${SEND} if (entry.type === 'game:answer_result') ${SEND}`,
    finding: /number \d+ \(\S+\) comes/,
  },
  {
    name: 'a wrong score',
    file: 'src/match/rules.ts',
    code: 'score: before.score + points,',
    replacement: 'score: before.score + points + 1,',
    finding: /has \d+, not \d+/,
  },
  {
    // The test need not wait: the question comes at once, and should have come two minutes ago.
    name: 'a late round',
    file: 'src/realtime/render.ts',
    code: 'Math.max(0, nextAtMs - nowMs)',
    replacement: 'nextAtMs - nowMs - 120_000',
    finding: /an event came \d+ ms late|what comes after round/,
  },
  {
    name: 'a wrong `you`',
    file: 'src/realtime/render.ts',
    code: '{ you: parts[userId] }',
    replacement: '{ you: { ...parts[userId], score: 4711 } }',
    finding: /4711/,
  },
  {
    name: 'a leaked option',
    file: 'src/match/events.ts',
    code: '{ question }: SealedQuestion,\n): string {',
    replacement:
      '{ question: asked, ...solution }: SealedQuestion,\n): string {\n  const question = { ...asked, ...solution };',
    finding: /tells correctOptionId/,
  },
  {
    name: 'a result that is not stored',
    file: 'src/match/finish-match.ts',
    code: 'await saveResult(deps.postgres, { match, result, rounds });',
    replacement: '{ isNew: true, version: null };',
    finding: /is stored 0 times|is not stored/,
  },
];

const vitest = (file: string, title: string) =>
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'all', '-t', title, `test/${file}.test.ts`]
    .join(' ')
    .split(' ');
/** By this seed, chaos plays a compact lobby and an ordinary one. */
const CHAOS = '--seed 398 --minutes 0.05 --tables 2 --redis single';
const PLACES: Record<string, string[]> = {
  integration: vitest('match/game', 'nothing.is.lost'),
  system: vitest('system/oracle', 'without.a.bug'),
  prove: vitest('tools/prove', 'exits.with.0'),
  chaos: `test/chaos/main.ts ${CHAOS}`.split(' '),
  bench: ['test/bench/main.ts', 'judged'],
};
/** A run that takes longer has found nothing. */
const LIMIT_MS = 900_000;

/**
 * @param isChosen says of a place whether games are played there
 * @returns whether each bug is found in each place, and nothing without a bug
 */
export async function plantBugs({ folder, run }: Checkout, isChosen: (place: string) => boolean): Promise<boolean> {
  const places = Object.keys(PLACES).filter(isChosen);
  const missed: string[] = [];
  /** Plays in each place, and shows in which of them something was found. */
  async function play(name: string, isRight: (code: number | null, output: string) => boolean): Promise<void> {
    const cells: string[] = [];
    for (const place of places) {
      const { code, output } = await run(process.execPath, PLACES[place] as string[], { limitMs: LIMIT_MS });
      if (!isRight(code, output)) missed.push(`${name} (${place}): ${output.slice(-2000)}`);
      cells.push(code === 0 ? 'passes' : isRight(code, output) ? 'found' : 'FAILS');
    }
    console.log([name.padEnd(28), ...cells.map((cell) => cell.padEnd(11))].join(' '));
  }
  console.log([' '.repeat(28), ...places.map((place) => place.padEnd(11))].join(' '));
  await play('no bug', (code) => code === 0);
  for (const { name, file, code, replacement, finding } of missed.length > 0 ? [] : BUGS) {
    const text = readFileSync(join(folder, file), 'utf8');
    if (text.split(code).length !== 2) throw new Error(`${file} does not have once: ${code}`);
    const planted = text.replace(code, () => replacement);
    writeFileSync(join(folder, file), planted);
    await play(name, (exitCode, output) => exitCode !== 0 && finding.test(output));
    writeFileSync(join(folder, file), text);
  }
  if (missed.length > 0) console.log(missed.join('\n\n'));
  return missed.length === 0;
}
